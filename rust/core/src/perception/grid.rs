//! Finds the sources near a place: square columns, as one list sorted by cell.
//!
//! A sorted list instead of a hash: nothing is hashed or allocated per tick, and as sources move little between
//! two ticks the list of the last tick is nearly sorted already.

use glam::DVec3;

/// One source in the grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridPoint {
    key: u64,
    /// Its number in the tick's list of sources.
    pub(super) index: u32,
    pub(super) origin: DVec3,
    /// Multiplies the radius of whoever looks.
    pub(super) scale: f64,
}

/// How a space is cut into columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) space: u16,
    /// Columns stand on X/Y instead of X/Z.
    pub(super) planar: bool,
    pub(super) cell: f64,
}

const HALF: i64 = 1 << 23;

impl Columns {
    fn cell_of(&self, at: f64) -> i64 {
        // `as` saturates; what is farther out shares the outermost cell.
        ((at / self.cell).floor() as i64).clamp(-HALF, HALF - 1)
    }

    fn row_and_column(&self, at: DVec3) -> (f64, f64) {
        if self.planar { (at.y, at.x) } else { (at.z, at.x) }
    }

    fn key(&self, row: i64, column: i64) -> u64 {
        (u64::from(self.space) << 48) | (((row + HALF) as u64) << 24) | (column + HALF) as u64
    }

    pub(super) fn point(&self, index: u32, origin: DVec3, scale: f64) -> GridPoint {
        let (row, column) = self.row_and_column(origin);
        GridPoint { key: self.key(self.cell_of(row), self.cell_of(column)), index, origin, scale }
    }
}

/// Sources sorted by cell; inside a cell in the order in which they were given.
#[derive(Debug, Default)]
pub(super) struct Grid {
    points: Vec<GridPoint>,
    given: Vec<GridPoint>,
    order: Vec<u32>,
}

impl Grid {
    pub(super) fn clear(&mut self) {
        self.given.clear();
    }

    pub(super) fn push(&mut self, point: GridPoint) {
        self.given.push(point);
    }

    /// Sorts what was pushed since `clear`.
    pub(super) fn build(&mut self) {
        let count = self.given.len();
        if self.order.len() != count {
            self.order.clear();
            self.order.extend(0..count as u32);
        }
        self.points.clear();
        self.points.extend(self.order.iter().map(|at| self.given[*at as usize]));
        self.sort();
        // `given` is in ascending `index`, so positions and indices sort alike.
        for (slot, point) in self.order.iter_mut().zip(&self.points) {
            *slot = self.given.partition_point(|given| given.index < point.index) as u32;
        }
    }

    /// Insertion sort while the list is nearly sorted, a general sort when it is not.
    fn sort(&mut self) {
        let mut patience = 4 * self.points.len();
        for at in 1..self.points.len() {
            let point = self.points[at];
            let mut hole = at;
            while hole > 0
                && (point.key, point.index) < (self.points[hole - 1].key, self.points[hole - 1].index)
            {
                self.points[hole] = self.points[hole - 1];
                hole -= 1;
                patience = patience.saturating_sub(1);
            }
            self.points[hole] = point;
            if patience == 0 {
                self.points.sort_unstable_by_key(|point| (point.key, point.index));
                return;
            }
        }
    }

    /// Calls `visit` for every source in the columns that a circle touches.
    pub(super) fn near(
        &self,
        columns: &Columns,
        centre: DVec3,
        radius: f64,
        mut visit: impl FnMut(&GridPoint),
    ) {
        let (row, column) = columns.row_and_column(centre);
        let first = columns.cell_of(column - radius);
        let last = columns.cell_of(column + radius);
        let end_row = columns.cell_of(row + radius);
        let end = columns.key(end_row, last);
        let mut at = self.seek(0, columns.key(columns.cell_of(row - radius), first));
        while let Some(point) = self.points.get(at) {
            if point.key > end {
                return;
            }
            let here = (point.key & 0xFF_FFFF) as i64 - HALF;
            let row = ((point.key >> 24) & 0xFF_FFFF) as i64 - HALF;
            if here < first {
                at = self.seek(at, columns.key(row, first));
            } else if here > last {
                at = if row >= HALF - 1 { return } else { self.seek(at, columns.key(row + 1, first)) };
            } else {
                visit(point);
                at += 1;
            }
        }
    }

    /// First position from `from` on whose key is not below `key`.
    fn seek(&self, from: usize, key: u64) -> usize {
        from + self.points[from..].partition_point(|point| point.key < key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{mix, unit};

    fn columns(space: u16) -> Columns {
        Columns { space, planar: false, cell: 10.0 }
    }

    fn found(grid: &Grid, space: u16, centre: DVec3, radius: f64) -> Vec<u32> {
        let mut list = Vec::new();
        grid.near(&columns(space), centre, radius, |point| {
            if point.origin.distance(centre) <= radius {
                list.push(point.index);
            }
        });
        list.sort_unstable();
        list
    }

    /// Against the plain search, with sources that move, vanish and stand far out.
    #[test]
    fn finds_what_a_plain_search_finds() {
        let mut grid = Grid::default();
        let coordinate = |n: u64| (unit(mix(n)) - 0.5) * 300.0;
        for round in 0..20u64 {
            let count = if round == 10 { 150 } else { 200 };
            let places: Vec<(u16, DVec3)> = (0..count)
                .map(|n| {
                    let far = if n == 7 { 1e12 } else { 0.0 };
                    let drift = round as f64 * 2.0;
                    let at =
                        DVec3::new(coordinate(n) + far + drift, coordinate(n + 1000), coordinate(n + 2000));
                    ((n % 2) as u16, at)
                })
                .collect();
            grid.clear();
            for (index, (space, at)) in places.iter().enumerate() {
                grid.push(columns(*space).point(index as u32, *at, 1.0));
            }
            grid.build();
            for probe in 0..20 {
                let centre = DVec3::new(coordinate(probe + 5000), 0.0, coordinate(probe + 6000));
                let radius = 5.0 + 15.0 * probe as f64;
                let space = (probe % 2) as u16;
                let want: Vec<u32> = (0..places.len())
                    .filter(|n| places[*n].0 == space && places[*n].1.distance(centre) <= radius)
                    .map(|n| n as u32)
                    .collect();
                assert_eq!(found(&grid, space, centre, radius), want, "round {round}, probe {probe}");
            }
        }
    }

    #[test]
    fn an_endless_radius_visits_each_source_once() {
        let mut grid = Grid::default();
        for n in 0..50 {
            grid.push(columns(0).point(n, DVec3::new(f64::from(n) * 1e5, 0.0, f64::from(n) * -1e6), 1.0));
        }
        grid.build();
        assert_eq!(found(&grid, 0, DVec3::ZERO, 1e300).len(), 50);
        assert_eq!(found(&grid, 1, DVec3::ZERO, 1e300).len(), 0);
    }
}

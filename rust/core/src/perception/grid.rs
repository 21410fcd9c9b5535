//! Finds the sources near a place: square columns, as one list sorted by cell.
//!
//! A sorted list instead of a hash: nothing is hashed or allocated per tick, and as sources move little between
//! two ticks the list of the last tick is nearly sorted already. Where the sources of a space stand close enough
//! together, a table of its cells says where each cell begins in the list; else the list is searched.

use glam::DVec3;

use super::area::{Area, Ground};

/// One source in the grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridPoint {
    key: u64,
    /// Its number in the tick's list of sources.
    pub(super) index: u32,
    pub(super) origin: DVec3,
    /// Aim point 0: the cone is measured to it.
    pub(super) aim: DVec3,
    /// Multiplies the radius of whoever looks.
    pub(super) scale: f64,
}

impl GridPoint {
    fn row(&self) -> i64 {
        ((self.key >> 24) & 0xFF_FFFF) as i64 - HALF
    }

    fn column(&self) -> i64 {
        (self.key & 0xFF_FFFF) as i64 - HALF
    }

    fn space(&self) -> u16 {
        (self.key >> 48) as u16
    }
}

/// How a space is cut into columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    space: u16,
    /// Columns stand on X/Y instead of X/Z.
    planar: bool,
    /// How many of them there are per unit of length.
    per_unit: f64,
}

const HALF: i64 = 1 << 23;

impl Columns {
    pub(super) fn new(space: u16, planar: bool, cell: f64) -> Self {
        Self { space, planar, per_unit: 1.0 / cell }
    }

    fn cell_of(&self, at: f64) -> i64 {
        let cell = at * self.per_unit;
        // `as` rounds towards zero and saturates; what is farther out shares the outermost cell.
        let whole = cell as i64;
        whole.saturating_sub(i64::from(cell < whole as f64)).clamp(-HALF, HALF - 1)
    }

    /// A place or a direction as the grid lies: along the rows, along the columns.
    pub(super) fn row_and_column(&self, at: DVec3) -> Ground {
        if self.planar { (at.y, at.x) } else { (at.z, at.x) }
    }

    fn key(&self, row: i64, column: i64) -> u64 {
        (u64::from(self.space) << 48) | (((row + HALF) as u64) << 24) | (column + HALF) as u64
    }

    pub(super) fn point(&self, index: u32, origin: DVec3, aim: DVec3, scale: f64) -> GridPoint {
        let (row, column) = self.row_and_column(origin);
        GridPoint { key: self.key(self.cell_of(row), self.cell_of(column)), index, origin, aim, scale }
    }
}

/// Sources sorted by cell; inside a cell in the order in which they were given.
#[derive(Debug, Default)]
pub(super) struct Grid {
    points: Vec<GridPoint>,
    given: Vec<GridPoint>,
    order: Vec<u32>,
    tables: Vec<Table>,
    starts: Vec<u32>,
}

/// The cells of one space from its outermost rows and columns on: cell by cell, row by row, where it begins in
/// the list; at the end where the last one ends.
#[derive(Clone, Copy, Debug)]
struct Table {
    space: u16,
    row: i64,
    column: i64,
    rows: i64,
    columns: i64,
    /// Its first cell in `starts`.
    first: usize,
}

impl Table {
    /// A table of so many cells is worth its memory for so many sources.
    fn most_cells(sources: usize) -> usize {
        8 * sources + 256
    }

    fn cell(&self, point: &GridPoint) -> usize {
        ((point.row() - self.row) * self.columns + point.column() - self.column) as usize
    }
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
        self.tabulate();
    }

    fn tabulate(&mut self) {
        self.tables.clear();
        self.starts.clear();
        for points in self.points.chunk_by(|a, b| a.space() == b.space()) {
            let (low, high) = (points[0].row(), points[points.len() - 1].row());
            let columns = points.iter().map(GridPoint::column);
            let bounds = |(low, high): (i64, i64), at: i64| (low.min(at), high.max(at));
            let (left, right) = columns.fold((i64::MAX, i64::MIN), bounds);
            let (space, first) = (points[0].space(), self.starts.len());
            let (rows, columns) = (high - low + 1, right - left + 1);
            let table = Table { space, row: low, column: left, rows, columns, first };
            let (cells, most) = ((rows * columns) as usize, Table::most_cells(points.len()));
            if cells <= most {
                self.tables.push(table);
                // At once what it may ever need, so that no later tick allocates.
                self.starts.reserve(most + 1);
                self.starts.resize(first + cells + 1, 0);
            }
        }
        self.fill_tables();
    }

    fn fill_tables(&mut self) {
        let mut at = 0;
        for table in &self.tables {
            let cells = (table.rows * table.columns) as usize;
            let starts = &mut self.starts[table.first..=table.first + cells];
            at += self.points[at..].partition_point(|point| point.space() < table.space);
            let mut cell = 0;
            while let Some(point) = self.points.get(at).filter(|point| point.space() == table.space) {
                let here = table.cell(point);
                while cell <= here {
                    starts[cell] = at as u32;
                    cell += 1;
                }
                at += 1;
            }
            starts[cell..].fill(at as u32);
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

    /// Gives every source in the columns that an area touches, in runs.
    pub(super) fn near(&self, columns: &Columns, area: Area, mut visit: impl FnMut(&[GridPoint])) {
        let (low, high) = (columns.cell_of(area.rows.0), columns.cell_of(area.rows.1));
        let (first, last) = (columns.cell_of(area.columns.0), columns.cell_of(area.columns.1));
        let Some(table) = self.tables.iter().find(|table| table.space == columns.space) else {
            return self.search(columns, (low, high), (first, last), visit);
        };
        let (left, right) = ((first - table.column).max(0), (last - table.column).min(table.columns - 1));
        if left > right {
            return;
        }
        for row in (low - table.row).max(0)..=(high - table.row).min(table.rows - 1) {
            let cells = table.first + (row * table.columns) as usize;
            let begin = self.starts[cells + left as usize] as usize;
            let end = self.starts[cells + right as usize + 1] as usize;
            visit(&self.points[begin..end]);
        }
    }

    /// The same without a table.
    fn search(
        &self,
        columns: &Columns,
        (low, high): (i64, i64),
        (first, last): (i64, i64),
        mut visit: impl FnMut(&[GridPoint]),
    ) {
        let end = columns.key(high, last);
        let mut at = self.seek(0, columns.key(low, first));
        while let Some(point) = self.points.get(at).filter(|point| point.key <= end) {
            let (here, row) = (point.column(), point.row());
            if here < first {
                at = self.seek(at, columns.key(row, first));
            } else if here > last {
                at = if row >= HALF - 1 { return } else { self.seek(at, columns.key(row + 1, first)) };
            } else {
                let after = self.seek(at, columns.key(row, last) + 1);
                visit(&self.points[at..after]);
                at = after;
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
        Columns::new(space, false, 10.0)
    }

    fn found(grid: &Grid, space: u16, centre: DVec3, radius: f64) -> Vec<u32> {
        let mut list = Vec::new();
        let columns = columns(space);
        let area = Area::around(columns.row_and_column(centre), radius);
        grid.near(&columns, area, |points| {
            let inside = points.iter().filter(|point| point.origin.distance(centre) <= radius);
            list.extend(inside.map(|point| point.index));
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
                grid.push(columns(*space).point(index as u32, *at, *at, 1.0));
            }
            grid.build();
            // One of the two spaces has a source too far out for a table; the other in one round too few for one.
            assert_eq!(grid.tables.len(), usize::from(count == 200));
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
            let at = DVec3::new(f64::from(n) * 1e5, 0.0, f64::from(n) * -1e6);
            grid.push(columns(0).point(n, at, at, 1.0));
        }
        grid.build();
        assert_eq!(found(&grid, 0, DVec3::ZERO, 1e300).len(), 50);
        assert_eq!(found(&grid, 1, DVec3::ZERO, 1e300).len(), 0);
    }
}

//! How time is taken: CPU time of the thread, contenders in turn, medians; wall time where threads are what is
//! measured.
//!
//! The machine is shared: wall time counts what others do, and a slow minute would spoil a ratio whose two
//! sides were measured one after the other.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// CPU time of the thread, for criterion.
pub(crate) struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = ThreadTime;
    type Value = Duration;

    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }

    fn end(&self, start: ThreadTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, left: &Duration, right: &Duration) -> Duration {
        *left + *right
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// A piece of work that says how long one go at it took.
pub(crate) type Contender<'a> = &'a mut dyn FnMut() -> Duration;

/// The CPU time of some work. What it returns is dropped after the clock is read: a process that ends frees
/// nothing, and the yardstick has more to free.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = ThreadTime::now();
    let result = black_box(work());
    let elapsed = start.elapsed();
    drop(result);
    elapsed
}

/// The time that passes during some work, whichever threads do it.
pub(crate) fn clocked<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let result = black_box(work());
    let elapsed = start.elapsed();
    drop(result);
    elapsed
}

/// The CPU time of some short work, on the average of `times` times.
pub(crate) fn timed_often<T>(times: u32, mut work: impl FnMut() -> T) -> Duration {
    let start = ThreadTime::now();
    for _ in 0..times {
        drop(black_box(work()));
    }
    start.elapsed() / times
}

/// The seconds of each contender, round by round: A B C, A B C, ...
pub(crate) fn in_turn<const N: usize>(rounds: usize, mut contenders: [Contender<'_>; N]) -> [Seconds; N] {
    let mut seconds = [const { Seconds(Vec::new()) }; N];
    for _ in 0..rounds {
        for (contender, seconds) in contenders.iter_mut().zip(&mut seconds) {
            seconds.0.push(contender().as_secs_f64());
        }
    }
    seconds
}

/// What a contender took in each round.
pub(crate) struct Seconds(Vec<f64>);

impl Seconds {
    pub(crate) fn median(&self) -> f64 {
        median(self.0.clone())
    }

    /// The median of the ratios to another contender in the same round.
    pub(crate) fn over(&self, other: &Self) -> f64 {
        median(self.0.iter().zip(&other.0).map(|(own, other)| own / other).collect())
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

//! Work on all cores, with the same outcome on any number of them.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many threads this machine can run at once.
pub(crate) fn processors() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Does something with every item, on some threads. Which thread takes which item depends on how long the others
/// take, so what is done must touch nothing but the item.
pub(crate) fn shared_out<T: Send>(threads: NonZero<usize>, items: Vec<T>, act: impl Fn(T) + Sync) {
    if threads == NonZero::<usize>::MIN {
        items.into_iter().for_each(act);
        return;
    }
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| {
                while let Some(item) = next() {
                    act(item);
                }
            });
        }
    });
}

//! The process of an engine, with all that it starts.
//!
//! Three threads stand at its pipes, so that an engine that doesn't read, or doesn't answer, or talks without end keeps
//! nobody waiting beyond the deadline.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};
use serde_json::Value as Json;

use super::{Engine, Failure};

/// How long a line may be, in bytes: more than the answer of any fixture.
const LONGEST: u64 = 64 << 20;

/// How much of the standard error is kept, in bytes.
const KEPT: usize = 4 << 10;

/// How many answers may wait to be read.
const WAITING: usize = 64;

/// How long an engine may take to end when it is told to, before it is killed.
const GRACE: Duration = Duration::from_secs(2);

type Child = Arc<Mutex<Box<dyn ChildWrapper>>>;

/// The engines that run now: whoever is interrupted must not leave them behind.
static RUNNING: Mutex<Running> = Mutex::new(Running { children: Vec::new(), is_over: false });

struct Running {
    children: Vec<Child>,
    /// Whether none may begin any more.
    is_over: bool,
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all engines that run, and what they started. None begins after it.
pub(crate) fn kill_all() {
    let mut running = running();
    running.is_over = true;
    for child in running.children.drain(..) {
        kill(&child);
    }
}

fn kill(child: &Child) {
    // It may have ended by itself.
    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).start_kill();
}

/// An engine that runs. Dropped, it is gone, with all that it started.
pub(super) struct Process {
    child: Child,
    requests: Option<Sender<String>>,
    answers: Receiver<Line>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Says nothing, and ends when all of the standard error is read.
    stderr_ends: Receiver<()>,
    patience: Duration,
}

enum Line {
    Said(String),
    Bad(Failure),
}

impl Process {
    pub(super) fn start(engine: &Engine) -> Result<Self, Failure> {
        let [program, arguments @ ..] = &*engine.words else {
            return Err(crashed("there is no program".to_owned(), String::new()));
        };
        let mut command = match &engine.folder {
            // Systems differ in which folder a relative program is seen from.
            Some(folder) => {
                let is_path = Path::new(program).components().nth(1).is_some();
                let mut command =
                    if is_path { Command::new(folder.join(program)) } else { Command::new(program) };
                command.current_dir(folder);
                command
            }
            None => Command::new(program),
        };
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        // From here on until it is known: an interrupt waits.
        let mut running = running();
        if running.is_over {
            return Err(crashed("it isn't started: all is over".to_owned(), String::new()));
        }
        let mut child = command
            .spawn()
            .map_err(|error| crashed(format!("it can't be started: {error}"), String::new()))?;
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(mut stdin), Some(stdout), Some(mut stderr)) = pipes else {
            return Err(crashed("it has no pipes".to_owned(), String::new()));
        };
        let child = Arc::new(Mutex::new(child));
        running.children.push(Arc::clone(&child));
        drop(running);
        let (requests, queue) = channel::<String>();
        thread::spawn(move || {
            // An engine that has ended reads no more, which its answers show.
            let _ = queue
                .iter()
                .try_for_each(|line| stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()));
        });
        let (said, answers) = sync_channel(WAITING);
        thread::spawn(move || listen(BufReader::new(stdout), &said));
        let kept = Arc::new(Mutex::new(Vec::new()));
        let tail = Arc::clone(&kept);
        let (open, stderr_ends) = channel();
        thread::spawn(move || {
            let _open: Sender<()> = open;
            let mut part = [0; 4096];
            while let Ok(length @ 1..) = stderr.read(&mut part) {
                let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                tail.extend_from_slice(&part[..length]);
                let over = tail.len().saturating_sub(KEPT);
                tail.drain(..over);
            }
        });
        let requests = Some(requests);
        Ok(Self { child, requests, answers, stderr: kept, stderr_ends, patience: engine.patience })
    }

    pub(super) fn send(&self, message: &Json) {
        // What can't be sent isn't answered.
        let _ = self.requests.as_ref().map(|requests| requests.send(format!("{message}\n")));
    }

    /// When an answer to what is sent now is late.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.patience
    }

    /// The next line.
    pub(super) fn line(&self, deadline: Instant) -> Result<String, Failure> {
        // A child of its own may hold its output open when it has ended: so it is looked at now and then.
        const LOOK: Duration = Duration::from_millis(250);
        let mut has_ended = false;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(LOOK)) {
                Ok(Line::Said(line)) => return Ok(line),
                Ok(Line::Bad(failure)) => return Err(failure),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                // What it said before its end has come by now.
                Err(RecvTimeoutError::Timeout) if has_ended => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Err(Failure::Timeout),
                Err(RecvTimeoutError::Timeout) => has_ended = self.wait(Duration::ZERO).is_some(),
            }
        }
    }

    /// What it still says when its input ends, though nobody asks for it.
    pub(super) fn rest(mut self) -> Vec<String> {
        self.requests = None;
        let end = Instant::now() + GRACE;
        let mut lines = Vec::new();
        while let Ok(line) = self.line(end) {
            lines.push(line);
        }
        lines
    }

    /// How it ended: it has closed its output.
    fn ended(&self) -> Failure {
        let status = self.wait(GRACE);
        let how = status
            .map_or_else(|| "it closed its output".to_owned(), |status| format!("it ended with {status}"));
        // A child of its own may keep it open.
        let _ = self.stderr_ends.recv_timeout(GRACE);
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        crashed(how, String::from_utf8_lossy(&stderr).trim().to_owned())
    }

    /// Its exit status, if it ends in time.
    fn wait(&self, time: Duration) -> Option<std::process::ExitStatus> {
        let end = Instant::now() + time;
        loop {
            let status = self.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait().ok().flatten();
            if status.is_some() || end <= Instant::now() {
                return status;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of its input tells it to end; what it made it may take away.
        self.requests = None;
        #[cfg(unix)]
        if self.wait(GRACE).is_none() {
            const TERMINATE: i32 = 15;
            let _ = self.child.lock().unwrap_or_else(PoisonError::into_inner).signal(TERMINATE);
        }
        self.wait(GRACE);
        kill(&self.child);
        let _ = self.child.lock().unwrap_or_else(PoisonError::into_inner).wait();
        running().children.retain(|it| !Arc::ptr_eq(it, &self.child));
    }
}

/// Hands on what an engine says, line by line, to the end or the first line that is none.
fn listen(mut output: BufReader<impl std::io::Read>, said: &SyncSender<Line>) {
    loop {
        let mut bytes = Vec::new();
        let read = output.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let bad = |fault: &str, line: &str| Line::Bad(Failure::garbage(fault, line));
        let line = match String::from_utf8(bytes) {
            Ok(line) if line.len() as u64 == LONGEST => bad("the line has no end", &line),
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => Line::Said(line),
            Err(error) => bad("this is no UTF-8", &String::from_utf8_lossy(error.as_bytes())),
        };
        if said.send(line).is_err() {
            return;
        }
    }
}

fn crashed(how: String, stderr: String) -> Failure {
    Failure::Crashed { how, stderr }
}

// SPDX-License-Identifier: MIT
use std::process::Command;
use std::thread;

fn main() {
    let threads: Vec<_> = (0..4).map(|n| thread::spawn(move || n * n)).collect();
    let sum: i32 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    let out = Command::new("echo").arg("from a process").output().unwrap();
    print!("{} {}", sum, String::from_utf8_lossy(&out.stdout));
}

#[test]
fn adds() {
    assert_eq!(1 + 1, 2);
}

//! The installed library from Rust, without any crate. Build it and run it:
//!
//!     rustc -O library.rs $(pkg-config --libs-only-L nonet) && ./library kolem
//!
//! It asks how often each player wins if both play at random, and lets a computer player move.
use std::ffi::{c_char, c_int, CStr, CString};

/// What went wrong, as in nonet.h.
#[repr(C)]
struct Error {
    code: i32,
    key: [c_char; 48],
    message: [c_char; 1024],
}

#[repr(C)]
struct Thinking {
    nodes: u64,
    seed: u64,
    memory: u64,
    seconds: f64,
    level: i32,
    threads: i32,
}

#[repr(C)]
#[derive(Default)]
struct Tally {
    games: u64,
    moves: u64,
    shares: [u64; 4],
}

#[repr(C)]
struct Variant {
    _opaque: [u8; 0],
}

#[repr(C)]
struct Round {
    _opaque: [u8; 0],
}

#[link(name = "nonet")]
extern "C" {
    fn nonet_version() -> *const c_char;
    fn nonet_variant_open(name: *const c_char, words: *const u8, error: *mut Error) -> *mut Variant;
    fn nonet_variant_close(variant: *mut Variant);
    fn nonet_round_open(variant: *const Variant, from: *const c_char, error: *mut Error) -> *mut Round;
    fn nonet_round_close(round: *mut Round);
    fn nonet_round_players(round: *const Round) -> c_int;
    fn nonet_round_choose(round: *mut Round, thinking: *const Thinking, chosen: *mut u32, error: *mut Error) -> c_int;
    fn nonet_round_move_text(round: *mut Round, number: u32, error: *mut Error) -> *const c_char;
    fn nonet_round_playouts(round: *mut Round, games: u64, seed: u64, tally: *mut Tally, error: *mut Error) -> c_int;
}

/// A text of the library. It is copied at once, because the next call may replace it.
unsafe fn text(bytes: *const c_char) -> String {
    CStr::from_ptr(bytes).to_string_lossy().into_owned()
}

fn main() {
    let name = CString::new(std::env::args().nth(1).unwrap_or("quadrangle".into())).expect("no zero bytes");
    let mut error = Error { code: 0, key: [0; 48], message: [0; 1024] };
    unsafe {
        println!("libnonet {}", text(nonet_version()));
        let variant = nonet_variant_open(name.as_ptr(), std::ptr::null(), &mut error);
        if variant.is_null() {
            eprintln!("{} ({})", text(error.message.as_ptr()), error.code);
            std::process::exit(1);
        }
        let round = nonet_round_open(variant, std::ptr::null(), &mut error);
        assert!(!round.is_null(), "{}", text(error.message.as_ptr()));
        let mut tally = Tally::default();
        nonet_round_playouts(round, 1000, 1, &mut tally, &mut error);
        for player in 0..nonet_round_players(round) as usize {
            println!("player {} wins {:.1} % of random games", player + 1, tally.shares[player] as f64 / 120.0);
        }
        println!("{} moves a game", tally.moves / tally.games);
        let thinking = Thinking { nodes: 5000, seed: 1, memory: 0, seconds: 0.0, level: 9, threads: 0 };
        let mut chosen = 0;
        if nonet_round_choose(round, &thinking, &mut chosen, &mut error) == 0 {
            println!("level 9 begins with {}", text(nonet_round_move_text(round, chosen, &mut error)));
        }
        nonet_round_close(round);
        nonet_variant_close(variant);
    }
}

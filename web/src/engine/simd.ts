/* A function that adds two vectors: valid only where WebAssembly has SIMD. */
const PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 11, 1, 9, 0, 32, 0, 32, 0, 253, 174, 1, 11,
]);

/* Whether this browser runs nonet.wasm; if not, nonet-plain.wasm is for it. */
export const hasSimd = (): boolean => typeof WebAssembly === "object" && WebAssembly.validate(PROBE);

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Bytes of one block. The format allows 900,000, but run-length encoding may need some of them. */
export const BZIP2_BLOCK = 899_000

/** The parts of WebAssembly that Node's types lack. */
interface WebAssemblyHere {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

interface Bzip2Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly __wasm_call_ctors: () => void
  readonly malloc: (size: number) => number
  readonly BZ2_bzBuffToBuffCompress: (
    to: number,
    toLength: number,
    from: number,
    length: number,
    blockSize: number,
    verbosity: number,
    workFactor: number,
  ) => number
}

const OUTPUT_SIZE = BZIP2_BLOCK + Math.ceil(BZIP2_BLOCK / 100) + 600
const MAX_BLOCK_SIZE = 9

/** Uses only the compiled library of the package, because its script keeps views of memory that may have moved. */
export function createBzip2(): (block: Uint8Array) => Uint8Array {
  const library = instantiate()
  const from = library.malloc(BZIP2_BLOCK)
  const to = library.malloc(OUTPUT_SIZE)
  const length = library.malloc(4)
  return (block) => {
    // The memory moves when it grows, so every access needs a new view.
    new Uint8Array(library.memory.buffer).set(block, from)
    new DataView(library.memory.buffer).setUint32(length, OUTPUT_SIZE, true)
    const result = library.BZ2_bzBuffToBuffCompress(to, length, from, block.length, MAX_BLOCK_SIZE, 0, 0)
    if (result !== 0) throw new Error(`bzip2 failed with ${result}`)
    const packed = new DataView(library.memory.buffer).getUint32(length, true)
    return new Uint8Array(library.memory.buffer).slice(to, to + packed)
  }
}

function instantiate(): Bzip2Exports {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyHere }
  const require = createRequire(import.meta.url)
  const file = require.resolve('bzip2-wasm/bzip2-1.0.8/bzip2.wasm')
  const refuse = () => {
    throw new Error('bzip2 called a system function that it should not need')
  }
  const memory = () => new Uint8Array(library.memory.buffer)
  const env = {
    exit: refuse,
    emscripten_memcpy_big: (to: number, from: number, count: number) => {
      memory().copyWithin(to, from, from + count)
      return to
    },
    emscripten_resize_heap: () => 0,
  }
  const wasi = { fd_close: refuse, fd_write: refuse, fd_seek: refuse }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {
    env,
    wasi_snapshot_preview1: wasi,
  })
  const library = instance.exports as Bzip2Exports
  library.__wasm_call_ctors()
  return library
}

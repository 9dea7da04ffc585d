import { open } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { BufferPool, sendPooled } from '../../../src/storage/local/read/send-file.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const MEBIBYTE = 1024 * 1024
const SMALL = MEBIBYTE / 8

describe('buffers for downloads', () => {
  it('are small until a receiver has proved to be quick, and large afterwards', async () => {
    await using folder = await tempFolder({ 'a.bin': Buffer.alloc(20 * MEBIBYTE) })
    await using file = await open(folder.at('a.bin'))
    const sizes: number[] = []
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        sizes.push(chunk.length)
        done()
      },
    })
    await sendPooled(file.fd, { start: 0, end: 20 * MEBIBYTE - 1 }, destination, new BufferPool())
    expect(sizes.slice(0, 96)).toEqual(Array.from({ length: 96 }, () => SMALL))
    expect(sizes.slice(96)).toEqual(Array.from({ length: 8 }, () => MEBIBYTE))
  })

  it('are small, too, once too many large ones are in use, until these are given back', () => {
    const pool = new BufferPool()
    const large = Array.from({ length: 32 }, () => pool.take(true))
    expect(new Set(large.map(({ length }) => length))).toEqual(new Set([MEBIBYTE]))
    expect(pool.take(true).length).toBe(SMALL)
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = large
    pool.giveBack(first, true)
    expect(pool.take(true)).toBe(first)
    // The pool never lends a buffer again that a broken connection may still read, and no longer counts it.
    pool.giveBack(second, false)
    expect(pool.take(true)).not.toBe(second)
  })
})

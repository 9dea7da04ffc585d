import { describe, expect, it } from 'vitest'
import { KnownTypes } from '../../../src/storage/local/worker/known-types.ts'

const AN_HOUR_AGO = BigInt(Date.now() - 3_600_000) * 1_000_000n
const FILE = { dev: 1n, ino: 5n, size: 100n, ctimeNs: AN_HOUR_AGO, mtimeNs: AN_HOUR_AGO }
const JSON_TEXT = { promised: 'application/json', type: 'text' } as const

describe('known types', () => {
  it('knows a file as long as nothing of it changes', () => {
    const types = new KnownTypes()
    types.set(FILE, JSON_TEXT)
    expect(types.get({ ...FILE }, 'application/json')).toBe('text')
    for (const fact of ['dev', 'ino', 'size', 'ctimeNs', 'mtimeNs'] as const)
      expect(types.get({ ...FILE, [fact]: FILE[fact] + 1n }, 'application/json'), fact).toBeUndefined()
    expect(types.get(FILE, undefined)).toBeUndefined()
  })

  it('does not keep the type of a file that has just changed', () => {
    const types = new KnownTypes()
    const now = BigInt(Date.now()) * 1_000_000n
    types.set({ ...FILE, ctimeNs: now }, JSON_TEXT)
    types.set({ ...FILE, ino: 6n, mtimeNs: now }, JSON_TEXT)
    expect(types.get({ ...FILE, ctimeNs: now }, 'application/json')).toBeUndefined()
    expect(types.get({ ...FILE, ino: 6n, mtimeNs: now }, 'application/json')).toBeUndefined()
  })

  it('keeps only one of the files that share a place', () => {
    const types = new KnownTypes()
    const other = { ...FILE, ino: FILE.ino + 16_384n }
    types.set(FILE, JSON_TEXT)
    types.set(other, { promised: 'application/json', type: 'blob' })
    expect(types.get(FILE, 'application/json')).toBeUndefined()
    expect(types.get(other, 'application/json')).toBe('blob')
  })

  it('accepts times before 1970', () => {
    const types = new KnownTypes()
    const old = { ...FILE, mtimeNs: -5n }
    types.set(old, JSON_TEXT)
    expect(types.get(old, 'application/json')).toBe('text')
  })
})

import { describe, expect, it } from 'vitest'
import { isName } from '../../../src/storage/s3/bucket-root.ts'
import { decodeKey, requireUtf8 } from '../../../src/storage/s3/stored-object.ts'
import { errorLike } from '../../helpers/unit/error-like.ts'

describe('a key in a listing', () => {
  it.each([
    ['docs/a+b%2B%25.txt', 'docs/a b+%.txt'],
    ['caf%C3%A9/%E6%BC%A2', 'café/漢'],
    ['esc%1B%0A', 'esc\u001b\n'],
    ['caf%E9%C3%A9', 'caf\udce9é'],
  ])('%s is decoded', (encoded, key) => {
    expect(decodeKey(encoded)).toBe(key)
  })

  it.each(['', '.', '..', 'caf\udce9', '漢'.repeat(86)])('is not shown as the name %j', (name) => {
    expect(isName(name)).toBe(false)
  })

  it.each(['...', 'café', '漢'.repeat(85), 'x'.repeat(255)])('is shown as the name %j', (name) => {
    expect(isName(name)).toBe(true)
  })

  it('means no other object if it is not UTF-8', () => {
    expect(() => requireUtf8('docs/caf\udce9')).toThrow(errorLike('CONFLICT'))
    expect(() => requireUtf8('docs/caf\ufffd')).not.toThrow()
  })
})

import { describe, expect, it } from 'vitest'
import { foldName, kebabCase, nearestName, upperSnakeCase } from '../../../../src/domain/text/option-names.ts'

it.each([
  ['baseURL', 'base-url', 'BASE_URL'],
  ['tus.chunkSize', 'tus.chunk-size', 'TUS_CHUNK_SIZE'],
  ['noAuthRemote', 'no-auth-remote', 'NO_AUTH_REMOTE'],
])('spells %s as flag and as variable', (key, flag, variable) => {
  expect(kebabCase(key)).toBe(flag)
  expect(upperSnakeCase(key)).toBe(variable)
})

it('folds all spellings of a name into one', () => {
  expect(new Set(['baseURL', 'base-url', 'BASE_URL', 'baseurl'].map(foldName)).size).toBe(1)
})

describe('nearestName', () => {
  const names = ['root', 'port', 'address', 'branding.name']

  it.each([
    ['prot', 'port'],
    ['adress', 'address'],
    ['brandingname', 'branding.name'],
    ['rot', 'root'],
  ])('takes %s for %s', (slip, meant) => {
    expect(nearestName(slip, names)).toBe(meant)
  })

  it('suggests nothing for a name that is like no other', () => {
    expect(nearestName('colour', names)).toBeUndefined()
  })
})

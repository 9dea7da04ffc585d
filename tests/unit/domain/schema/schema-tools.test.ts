import { describe, expect, it } from 'vitest'
import { Type } from 'typebox'
import { defaultsOf, leaves, setAt, valueAt } from '../../../../src/domain/schema/schema-tools.ts'
import { Settings } from '../../../../src/domain/settings/settings.ts'
import { StoreDocument } from '../../../../src/store/document.ts'

describe('leaves', () => {
  it('names nested values by their dotted path, in the order of the schema', () => {
    const keys = leaves(Settings).map((leaf) => leaf.key)
    expect(keys.slice(0, 2)).toEqual(['signup', 'hideLoginButton'])
    expect(keys).toContain('branding.name')
    expect(keys).toContain('defaults.perm.admin')
    expect(keys).toContain('defaults.sorting.by')
  })

  it('keeps lists and maps whole', () => {
    const keys = leaves(Settings).map((leaf) => leaf.key)
    expect(keys.filter((key) => key.startsWith('commands'))).toEqual(['commands'])
    expect(keys).toContain('shell')
  })

  it('hands the annotation of a group down to its values', () => {
    const chunkSize = leaves(Settings).find((leaf) => leaf.key === 'tus.chunkSize')
    expect(chunkSize?.annotation).toEqual({ group: 'Uploads', widget: 'bytes' })
  })
})

describe('defaultsOf', () => {
  it('builds the nested defaults', () => {
    const defaults = defaultsOf(Settings)
    expect(defaults.tus).toEqual({ chunkSize: 10_485_760, retryCount: 5 })
    expect(defaults.defaults.perm.download).toBe(true)
    expect(defaults.commands['after_upload']).toEqual([])
  })

  it('gives a fresh object each time', () => {
    defaultsOf(Settings).shell.push('sh')
    expect(defaultsOf(Settings).shell).toEqual([])
  })

  it('leaves out what has no default', () => {
    expect(defaultsOf(Type.Object({ a: Type.String(), b: Type.Integer({ default: 1 }) }))).toEqual({ b: 1 })
    expect(defaultsOf(StoreDocument)).not.toHaveProperty('nextUserId')
  })
})

describe('valueAt and setAt', () => {
  it('reads and writes by path and makes the objects on the way', () => {
    const target: Record<string, unknown> = {}
    setAt(target, ['branding', 'name'], 'Ours')
    setAt(target, ['branding', 'theme'], 'dark')
    expect(target).toEqual({ branding: { name: 'Ours', theme: 'dark' } })
    expect(valueAt(target, ['branding', 'theme'])).toBe('dark')
    expect(valueAt(target, ['branding', 'name', 'length'])).toBeUndefined()
  })
})

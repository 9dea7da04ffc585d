import { describe, expect, it } from 'vitest'
import {
  filesHref,
  filesPathOf,
  lastSegment,
  parentFolder,
  safeRedirect,
} from '../../../../ui/src/lib/navigation/app-path.ts'

describe('places in the app', () => {
  it.each(['/', '/a b/', '/100%/', '/a%20b/c#d?e', '/back\\slash', '/日本/$x/', '/%2F'])(
    'come back from %s',
    (path) => {
      expect(filesPathOf(filesHref(path))).toBe(path)
    },
  )

  it('keep a percent sign that introduces nothing', () => {
    expect(filesPathOf('/files/100%/')).toBe('/100%/')
  })

  it('leave out the query and the fragment', () => {
    expect(filesPathOf('/files/a/?x=/files/b#c')).toBe('/a/')
  })

  it('are none outside of the files', () => {
    expect(filesPathOf('/filesystem/a')).toBeUndefined()
    expect(filesPathOf('/login')).toBeUndefined()
    expect(filesPathOf('/files')).toBe('/')
  })

  it('know their folder and their name', () => {
    expect(['/a/b', '/a/b/', '/a', '/'].map(parentFolder)).toEqual(['/a/', '/a/', '/', '/'])
    expect(['/a/b', '/a/b/', '/'].map(lastSegment)).toEqual(['b', 'b', ''])
  })
})

describe('the way on after signing in', () => {
  it('follows places of this app', () => {
    expect(safeRedirect('/files/a%20b/?x=1')).toBe('/files/a%20b/?x=1')
  })

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil',
    '/login',
    7,
    undefined,
  ])('goes home instead of %s', (wanted) => {
    expect(safeRedirect(wanted)).toBe('/files/')
  })
})

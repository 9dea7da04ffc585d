import { describe, expect, it } from 'vitest'
import {
  filesHref,
  filesPathOf,
  lastSegment,
  parentFolder,
  safeRedirect,
} from '../../../../ui/src/lib/navigation/app-path.ts'

describe('the path in an address', () => {
  it.each(['/', '/a b/', '/100%/', '/a%20b/c#d?e', '/back\\slash', '/日本/$x/', '/%2F'])(
    'survives encoding: %s',
    (path) => {
      expect(filesPathOf(filesHref(path))).toBe(path)
    },
  )

  it('keeps a percent sign without a code', () => {
    expect(filesPathOf('/files/100%/')).toBe('/100%/')
  })

  it('ignores query and fragment', () => {
    expect(filesPathOf('/files/a/?x=/files/b#c')).toBe('/a/')
  })

  it('is undefined outside the files', () => {
    expect(filesPathOf('/filesystem/a')).toBeUndefined()
    expect(filesPathOf('/login')).toBeUndefined()
    expect(filesPathOf('/files')).toBe('/')
  })

  it('has a folder and a name', () => {
    expect(['/a/b', '/a/b/', '/a', '/'].map(parentFolder)).toEqual(['/a/', '/a/', '/', '/'])
    expect(['/a/b', '/a/b/', '/'].map(lastSegment)).toEqual(['b', 'b', ''])
  })
})

describe('the redirect after signing in', () => {
  it('allows addresses of this app', () => {
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
  ])('is the home page instead of %s', (target) => {
    expect(safeRedirect(target)).toBe('/files/')
  })
})

import { describe, expect, it } from 'vitest'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { ownPath, serverPath } from '../../../../ui/src/admin/forms/folder-button.tsx'

const path = (text: string): VirtualPath => text as VirtualPath

describe('a folder on the server', () => {
  it('is named from the root, whatever the scope of the administrator', () => {
    expect(serverPath(path('/'), path('/team'))).toBe('/team')
    expect(serverPath(path('/team'), path('/'))).toBe('/team')
    expect(serverPath(path('/team'), path('/a/b'))).toBe('/team/a/b')
  })

  it('is converted into the scope of the administrator', () => {
    expect(ownPath(path('/'), '.')).toBe('/')
    expect(ownPath(path('/'), 'team/a/')).toBe('/team/a')
    expect(ownPath(path('/team'), '/team')).toBe('/')
    expect(ownPath(path('/team'), '/team/a/b')).toBe('/a/b')
  })

  it('is undefined outside the scope', () => {
    expect(ownPath(path('/team'), '/')).toBeUndefined()
    expect(ownPath(path('/team'), '/teamwork')).toBeUndefined()
    expect(ownPath(path('/team'), '/team/../other')).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { ownPath, serverPath } from '../../../../ui/src/admin/forms/folder-button.tsx'

const path = (text: string): VirtualPath => text as VirtualPath

describe('a folder of the server', () => {
  it('is named from the root, whatever one sees of it oneself', () => {
    expect(serverPath(path('/'), path('/team'))).toBe('/team')
    expect(serverPath(path('/team'), path('/'))).toBe('/team')
    expect(serverPath(path('/team'), path('/a/b'))).toBe('/team/a/b')
  })

  it('is found again in what one sees oneself', () => {
    expect(ownPath(path('/'), '.')).toBe('/')
    expect(ownPath(path('/'), 'team/a/')).toBe('/team/a')
    expect(ownPath(path('/team'), '/team')).toBe('/')
    expect(ownPath(path('/team'), '/team/a/b')).toBe('/a/b')
  })

  it('is not found where it lies outside', () => {
    expect(ownPath(path('/team'), '/')).toBeUndefined()
    expect(ownPath(path('/team'), '/teamwork')).toBeUndefined()
    expect(ownPath(path('/team'), '/team/../other')).toBeUndefined()
  })
})

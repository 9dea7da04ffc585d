import { describe, expect, it } from 'vitest'
import { matchesShortcut } from '../../../../ui/src/lib/shortcut-keys.ts'

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
})

describe('a shortcut', () => {
  it('matches its key with exactly its modifiers', () => {
    expect(matchesShortcut(press('F2'), 'F2')).toBe(true)
    expect(matchesShortcut(press('F2', { shiftKey: true }), 'F2')).toBe(false)
    expect(matchesShortcut(press('F', { ctrlKey: true, shiftKey: true }), 'Ctrl+Shift+F')).toBe(true)
    expect(matchesShortcut(press('f', { ctrlKey: true }), 'Ctrl+Shift+F')).toBe(false)
    expect(matchesShortcut(press('ArrowUp', { altKey: true }), 'Alt+↑')).toBe(true)
    expect(matchesShortcut(press('Delete'), 'Del')).toBe(true)
  })

  it('accepts the command key of a Mac as Ctrl', () => {
    expect(matchesShortcut(press('a', { metaKey: true }), 'Ctrl+A')).toBe(true)
  })

  it.each([
    ['Russian', 'ф', 'KeyA'],
    ['Greek', 'α', 'KeyA'],
    ['Hebrew', 'ש', 'KeyA'],
    ['Arabic', 'ش', 'KeyA'],
    ['French', 'a', 'KeyQ'],
  ])('finds a letter on a %s keyboard', (_language, key, code) => {
    expect(matchesShortcut({ ...press(key, { ctrlKey: true }), code }, 'Ctrl+A')).toBe(true)
    expect(matchesShortcut({ ...press(key, { ctrlKey: true }), code }, 'Ctrl+Q')).toBe(false)
  })

  it('finds a symbol at any position', () => {
    expect(matchesShortcut(press('?', { shiftKey: true }), '?')).toBe(true)
    expect(matchesShortcut(press('?'), '?')).toBe(true)
    expect(matchesShortcut(press('?', { ctrlKey: true }), '?')).toBe(false)
    expect(matchesShortcut(press('+', { shiftKey: true }), '+')).toBe(true)
  })
})

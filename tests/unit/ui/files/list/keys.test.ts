import { describe, expect, it } from 'vitest'
import { actionOfKey, type KeyAction } from '../../../../../ui/src/files/list/model/grid-keys.ts'

function press(text: string, columns = 1, rightToLeft = false): KeyAction | null {
  const keys = text.split('+')
  const has = (name: string): boolean => keys.includes(name)
  const key = keys.at(-1) ?? ''
  return actionOfKey({ key, command: has('Ctrl'), shift: has('Shift'), alt: has('Alt') }, columns, rightToLeft)
}

const move = (direction: string, extend = false) => ({ kind: 'move', direction, extend })

describe('keys in the listing', () => {
  it('move, and extend with Shift', () => {
    expect(press('ArrowDown')).toEqual(move('down'))
    expect(press('Shift+PageUp')).toEqual(move('pageUp', true))
    expect(press('Ctrl+Home')).toEqual(move('home'))
  })

  it('move sideways only with several columns, mirrored in Arabic', () => {
    expect(press('ArrowRight')).toBeNull()
    expect(press('ArrowRight', 3)).toEqual(move('after'))
    expect(press('ArrowRight', 3, true)).toEqual(move('before'))
    expect(press('ArrowLeft', 3, true)).toEqual(move('after'))
  })

  it('open, toggle and open the menu', () => {
    expect(press('Enter')).toEqual({ kind: 'open' })
    expect(press(' ')).toEqual({ kind: 'toggle' })
    expect(press('Ctrl+ ')).toEqual({ kind: 'toggle' })
    expect(press('Shift+F10')).toEqual({ kind: 'menu' })
  })

  it('ignore shortcuts of the page, the browser and the system', () => {
    for (const keys of [
      'Ctrl+a',
      'Ctrl+s',
      'Alt+ArrowUp',
      'Alt+ArrowLeft',
      'Ctrl+f',
      'Ctrl+Enter',
      'Tab',
      'F5',
      'Shift',
    ]) {
      expect(press(keys)).toBeNull()
    }
  })

  it('find names by their first letters, in any script', () => {
    expect(press('é')).toEqual({ kind: 'type', key: 'é' })
    expect(press('ת')).toEqual({ kind: 'type', key: 'ת' })
    expect(press('/')).toBeNull()
  })
})

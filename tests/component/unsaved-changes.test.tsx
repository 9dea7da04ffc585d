import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UnsavedPrompt } from '../../ui/src/common/leave-guard.tsx'
import { draw } from '../helpers/component/draw.tsx'

afterEach(cleanup)

const texts = { title: 'Save notes.txt?', text: 'It has changed.', cancel: 'Cancel', discard: 'Discard', save: 'Save' }

/** Shows what the editor asks when it is left with unsaved changes. @returns the mock that gets the answer */
function showPrompt() {
  const close = vi.fn<(answer?: 'save' | 'discard') => void>()
  draw(<UnsavedPrompt texts={texts} close={close} />)
  return close
}

describe('leaving with unsaved changes', () => {
  it('asks in a dialog with a title, and saves by Enter', async () => {
    const close = showPrompt()
    expect(await screen.findByRole('alertdialog', { name: texts.title })).toBeTruthy()
    await userEvent.keyboard('{Enter}')
    expect(close.mock.calls).toEqual([['save']])
  })

  it('discards only when asked to', async () => {
    const close = showPrompt()
    await userEvent.click(await screen.findByRole('button', { name: texts.discard }))
    expect(close.mock.calls).toEqual([['discard']])
  })

  it('keeps editing by Cancel and by Escape', async () => {
    const close = showPrompt()
    await userEvent.click(await screen.findByRole('button', { name: texts.cancel }))
    await userEvent.keyboard('{Escape}')
    expect(close.mock.calls).toEqual([[], []])
  })
})

import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../ui/src/api/api-error.ts'
import { PasswordCard } from '../../ui/src/public/password-card.tsx'
import { draw } from '../helpers/component/draw.tsx'

afterEach(cleanup)

/** Shows the form; `reply` decides each attempt. Texts are message ids. */
function showForm(reply: (password: string) => Promise<void>): readonly string[] {
  const attempts: string[] = []
  const unlock = async (password: string) => {
    attempts.push(password)
    await reply(password)
  }
  draw(<PasswordCard unlock={unlock} />)
  return attempts
}

const refuse = (status: number, retryAfter?: number) => () =>
  Promise.reject(new ApiError({ status, message: 'refused', ...(retryAfter === undefined ? {} : { retryAfter }) }))

const field = () => screen.getByLabelText<HTMLInputElement>('login.password')

describe('the password form of a share', () => {
  it('sends the password by Enter', async () => {
    const attempts = showForm(() => Promise.resolve())
    await userEvent.type(field(), 'secret{Enter}')
    expect(attempts).toEqual(['secret'])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('sends nothing without a password', async () => {
    const attempts = showForm(() => Promise.resolve())
    await userEvent.click(screen.getByRole('button', { name: 'public.openShare' }))
    expect(attempts).toEqual([])
    expect(await screen.findByText('public.passwordMissing')).toBeTruthy()
  })

  it('keeps a wrong password in the field, selected', async () => {
    showForm(refuse(401))
    await userEvent.type(field(), 'wrong{Enter}')
    expect(await screen.findByText('public.wrongPassword')).toBeTruthy()
    expect(document.activeElement).toBe(field())
    expect([field().value, field().selectionStart, field().selectionEnd]).toEqual(['wrong', 0, 5])
  })

  it('waits after too many attempts', async () => {
    const attempts = showForm(refuse(429, 30))
    await userEvent.type(field(), 'guess{Enter}')
    expect(await screen.findByText('public.tooManyTries')).toBeTruthy()
    await userEvent.type(field(), 'again{Enter}')
    expect(attempts).toEqual(['guess'])
  })

  it.each([
    [0, 'errors.connection'],
    [500, 'public.failedText'],
  ])('does not call the password wrong after an error of status %i', async (status, text) => {
    showForm(refuse(status))
    await userEvent.type(field(), 'secret{Enter}')
    expect(await screen.findByText(text)).toBeTruthy()
  })
})

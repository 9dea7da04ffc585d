import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Later } from '../../ui/src/kit/later.tsx'

test('what nobody waits for is drawn after the rest', async () => {
  render(
    <>
      <p>rows</p>
      <Later>
        <p>free space</p>
      </Later>
    </>,
  )
  expect(screen.getByText('rows')).toBeTruthy()
  expect(screen.queryByText('free space')).toBeNull()
  expect(await screen.findByText('free space')).toBeTruthy()
})

import { expect, it } from 'vitest'
import { expiryOfUpload } from '../../../../src/services/uploads/upload-lifetime.ts'

const MINUTES = 60 * 1000
const DAY = 24 * 60 * MINUTES

it.each([
  ['of a user', { length: 9 }, 0, DAY],
  ['of a visitor that has hardly begun', { link: 'x', length: 9 }, 8, 15 * MINUTES],
  ['of a visitor that is complete', { link: 'x', length: 9 }, 9, DAY],
  ['of a visitor that has a megabyte', { link: 'x', length: 2 ** 21 }, 2 ** 20, DAY],
])('an upload %s expires in time', (_, upload, size, wait) => {
  expect(expiryOfUpload(upload, { size, touched: 1000 })).toBe(1000 + wait)
})

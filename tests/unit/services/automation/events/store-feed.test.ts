import { expect, it } from 'vitest'
import type { UserId } from '../../../../../src/domain/ids.ts'
import { noticesOf } from '../../../../../src/services/automation/events/store-feed.ts'
import { UserIndex } from '../../../../../src/services/stored-users.ts'
import { emptyDocument } from '../../../../../src/store/document.ts'
import { sampleUser } from '../../../../contract/store/samples.ts'
import { share } from '../../../../helpers/unit/share-record.ts'

const of = (id: number, hash: string) => share(hash, { userID: id as UserId })
const document = emptyDocument()
const accounts = new UserIndex({ snapshot: () => document })
const shares = [of(2, 'a'), of(3, 'b'), of(4, 'c'), of(3, 'd')]
const told = (now: typeof shares) =>
  noticesOf({ ...document, shares: now }, { ...document, shares }, accounts).flatMap(({ event, concerns }) =>
    [2, 3, 4].filter((id) => event.name === 'shares' && concerns(sampleUser(id))),
  )

it('tells the owners of links that have changed, and nobody else', () => {
  expect(told(shares.with(1, { ...of(3, 'b'), openings: 1 }))).toEqual([3])
  expect(told([...shares, of(2, 'e')])).toEqual([2])
  expect(told(shares.toSpliced(2, 1))).toEqual([4])
  // The link between the removed ones stays.
  expect(told([of(2, 'a'), of(4, 'c')])).toEqual([3])
})

it('compares values, because the links may have been read from the disk again', () => {
  expect(told(shares.map((record) => ({ ...record })))).toEqual([])
})

import { expect, it } from 'vitest'
import { shareViewOf } from '../../../../src/domain/shares/share.ts'
import { isSameEntry } from '../../../../src/domain/files/entry-identity.ts'
import { share } from '../../../helpers/unit/share-record.ts'

const target = { device: '1', inode: '2', birth: '3' }

it('recognises a target by inode and birth, whatever number the disk has after a restart', () => {
  expect(isSameEntry(target, { ...target, device: '9' })).toBe(true)
})

it('does not take a new file with the inode of a deleted target for the target', () => {
  expect(isSameEntry(target, { ...target, birth: '4' })).toBe(false)
  expect(isSameEntry(target, { ...target, inode: '9' })).toBe(false)
})

it('requires the same disk where no births are known', () => {
  const plain = { ...target, birth: '' }
  expect(isSameEntry(plain, plain)).toBe(true)
  expect(isSameEntry(plain, { ...plain, device: '9' })).toBe(false)
  expect(isSameEntry(plain, target)).toBe(false)
})

it('GHSA-833g-cqhp-h72j: a share is shown without password hash, token hash and target', () => {
  const record = share('abc', { passwordHash: 'secret', tokenHash: 'f'.repeat(64), target })
  expect(shareViewOf(record)).toEqual({ hash: 'abc', path: '/a', userID: 1, expire: 0, hasPassword: true })
})

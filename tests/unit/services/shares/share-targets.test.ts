import { expect, it } from 'vitest'
import type { Share } from '../../../../src/domain/shares/share.ts'
import type { User } from '../../../../src/domain/accounts/user.ts'
import { fail } from '../../../../src/domain/errors.ts'
import { createShareTargets } from '../../../../src/services/shares/share-records.ts'

const target = { device: '1', inode: '2', birth: '3' }
const users = [
  { id: 1, scope: '/' },
  { id: 2, scope: '/' },
  { id: 3, scope: '/home' },
] as User[]
const ownerOf = ({ userID }: Share) => users.find(({ id }) => id === userID)

const share = (userID: number, path: string, scope: string, bound = target) =>
  ({ userID, path, scope, target: bound }) as Share

it('identifies a target once for many links, and gives the state of each link in order', async () => {
  const seen: string[] = []
  const identify = (scope: string) => async (path: string) => {
    seen.push(`${scope} ${path}`)
    return path === '/gone' ? fail('NOT_FOUND', 'there is nothing') : target
  }
  const folderFor = (id: number) => users[id - 1]?.scope
  const ofScope = async (_id: number, folder: string) => ({
    scope: { identify: identify(folder) },
    [Symbol.dispose]: () => undefined,
  })
  const { statesOf } = createShareTargets({ access: { folderFor, ofScope } as never })
  const shares = [
    share(3, '/a', '/home'),
    share(1, '/a', '/'),
    share(2, '/a', '/'),
    share(2, '/gone', '/'),
    share(1, '/a', '/elsewhere'),
    share(1, '/a', '/', { ...target, inode: '9' }),
    share(4, '/a', '/'),
  ]
  expect(await statesOf(shares, ownerOf)).toEqual([
    'bound',
    'bound',
    'bound',
    'missing',
    'changed',
    'changed',
    'missing',
  ])
  expect(seen.toSorted()).toEqual(['/ /a', '/ /gone', '/home /a'])
})

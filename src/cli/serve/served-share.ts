import type { Context } from '../../context.ts'
import { OPERATOR } from '../../domain/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { ShareWish } from '../../services/shares/shares.ts'
import type { Invocation } from '../command.ts'
import { expiryFrom, sharePasswordFrom } from '../share-input.ts'

/** What `serve --share` asks for; undefined without it. @throws INVALID_INPUT */
export async function shareWishFrom(invocation: Invocation): Promise<ShareWish | undefined> {
  const { values } = invocation
  const isGuarded = ['expires', 'sharePassword', 'sharePasswordStdin'].some((name) => values[name] !== undefined)
  if (values['share'] !== true) {
    if (isGuarded) fail('INVALID_INPUT', '--expires and --share-password are about a public link: add --share')
    return undefined
  }
  if (values['passwordStdin'] === true && values['sharePasswordStdin'] === true) {
    fail('INVALID_INPUT', 'standard input holds one password: give the other one in another way', { field: 'share' })
  }
  return { password: await sharePasswordFrom(invocation), expire: expiryFrom(invocation, Date.now()) ?? 0 }
}

/**
 * A link to the whole folder, in the name of the first administrator. A plain one that is there already is given again, or each
 * start would leave one more.
 *
 * @returns its hash
 */
export async function shareFolder({ services, store }: Context, wish: ShareWish): Promise<string> {
  const owner = store.snapshot().users.find(({ perm }) => perm.admin)
  if (owner === undefined) fail('NOT_FOUND', 'there is no administrator to own the link; make one with "filemgr users"')
  if (wish.password === undefined && wish.expire === 0) {
    const there = await services.shares.details(OPERATOR, services.shares.list(OPERATOR))
    const same = there.find(
      ({ userID, path, expire, hasPassword, target }) =>
        userID === owner.id && path === '/' && expire === 0 && !hasPassword && target === 'bound',
    )
    if (same !== undefined) return same.hash
  }
  const { hash } = await services.shares.create(OPERATOR, '/', wish, owner.id)
  return hash
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Links {
  /** Links per user. */
  readonly each: number
  /** Path of a file below the root. */
  readonly path: string
}

/** The administrator has id 1. */
const FIRST_ID = 2

export const nameOf = (index: number) => `user${index}`

/** Writes users into a data folder while no daemon runs. All have the administrator's permissions and password. */
export function addUsers(data: string, count: number, links: Links = { each: 0, path: '' }): void {
  const store = join(data, 'store.json')
  const document = JSON.parse(readFileSync(store, 'utf8')) as { users: object[]; shares: object[]; nextUserId: number }
  const [admin] = document.users
  for (let index = 0; index < count; index += 1) {
    document.users.push({ ...admin, id: FIRST_ID + index, username: nameOf(index) })
    for (let link = 0; link < links.each; link += 1) document.shares.push(linkOf(index, link, links))
  }
  document.nextUserId = FIRST_ID + count
  writeFileSync(store, JSON.stringify(document))
}

function linkOf(user: number, link: number, { each, path }: Links): object {
  const hash = String(user * each + link).padStart(16, 'h')
  const [never, unused] = [{ expire: 0 }, { created: 0, openings: 0, lastOpened: 0 }]
  return { hash, path: `/${path}`, userID: FIRST_ID + user, scope: '/', ...never, ...unused }
}

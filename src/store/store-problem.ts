import type { StoreDocument } from './document.ts'
import type { Problem } from './problem.ts'

/** What the schema cannot say: nobody may get another's files, shares or tokens by carrying the same id or name. */
export function findStoreProblem({ users, shares, nextUserId }: StoreDocument): Problem | undefined {
  const highest = users.reduce((id, user) => Math.max(id, user.id), 0)
  return (
    findTwin(users, 'id', 'users') ??
    findTwin(users, 'username', 'users') ??
    findTwin(shares, 'hash', 'shares') ??
    (nextUserId > highest
      ? undefined
      : { field: 'nextUserId', problem: `must be above ${highest}, the highest user id` })
  )
}

function findTwin<T>(records: readonly T[], key: keyof T & string, field: string): Problem | undefined {
  const seen = new Map<unknown, number>()
  for (const [index, record] of records.entries()) {
    const first = seen.get(record[key])
    if (first !== undefined)
      return { field: `${field}/${index}/${key}`, problem: `is the same as ${field}/${first}/${key}` }
    seen.set(record[key], index)
  }
  return undefined
}

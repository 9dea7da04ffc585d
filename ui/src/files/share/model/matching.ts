import type { ShareDetails } from '../../../../../src/domain/share.ts'

/** Whether a link has all the words that were typed, in its path or its owner. */
export function matchesWords({ path, username, hash }: ShareDetails, typed: string): boolean {
  const text = `${path} ${username} ${hash}`.toLocaleLowerCase()
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

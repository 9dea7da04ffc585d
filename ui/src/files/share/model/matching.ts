import type { ShareDetails } from '../../../../../src/domain/share.ts'

/** True when the link's path or owner contains all the typed words. */
export function matchesWords({ path, username, hash }: ShareDetails, typed: string): boolean {
  const text = `${path} ${username} ${hash}`.toLocaleLowerCase()
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

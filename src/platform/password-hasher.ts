/** Slow, salted hashes of passwords, a few at a time. */
export interface PasswordHasher {
  /** @throws INVALID_INPUT for more than 1024 bytes; BUSY when too many wait */
  hash(password: string): Promise<string>
  /** Takes as long for `undefined`, the hash of a user who is not there. @throws BUSY */
  verify(password: string, hash: string | undefined): Promise<boolean>
  /** True for a hash that a new one should replace while the password is known. */
  isOutdated(hash: string): boolean
  /** True for a text with the full shape of a hash that `verify` understands. */
  recognises(text: string): boolean
}

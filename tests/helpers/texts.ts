import { expect } from 'vitest'

/** Matches any text that contains this part, for use in expected objects. */
export const containing = (part: string): string => expect.stringContaining(part) as string
export const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string

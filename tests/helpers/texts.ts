import { expect } from 'vitest'

/** Stands in an expected object for a text of which a part is known. */
export const containing = (part: string): string => expect.stringContaining(part) as string
export const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string

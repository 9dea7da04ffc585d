/** Recognizes the passwords that attackers try first. */
export type CommonPasswords = (password: string) => Promise<boolean>

/** A word with digits and signs around it, such as "Monkey2024!!": guessing tools try these too. */
const DECORATED = /^[^\p{L}]{0,6}(\p{L}.{2,}\p{L})[^\p{L}]{0,6}$/su

/**
 * A list of the 49,000 most frequent passwords in published leaks, in lower case. It takes a few megabytes of memory and is
 * loaded on first use.
 */
export function createCommonPasswords(): CommonPasswords {
  let loading: Promise<ReadonlySet<string>> | undefined
  return async (password) => {
    const list = await (loading ??= load())
    const folded = password.toLowerCase()
    const word = DECORATED.exec(folded)?.[1]
    return list.has(folded) || (word !== undefined && list.has(word))
  }
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

/** Recognizes the passwords that attackers try first. */
export type CommonPasswords = (password: string) => Promise<boolean>

/** Digits and signs around a word are guessed with it: "Monkey2024!!". */
const ADORNED = /^[^\p{L}]{0,6}(\p{L}.{2,}\p{L})[^\p{L}]{0,6}$/su

/**
 * A list of 49,000 passwords in lower case, the most frequent of what was published after break-ins. It takes a few
 * megabytes, from the first question on.
 */
export function createCommonPasswords(): CommonPasswords {
  let loading: Promise<ReadonlySet<string>> | undefined
  return async (password) => {
    const list = await (loading ??= load())
    const folded = password.toLowerCase()
    const word = ADORNED.exec(folded)?.[1]
    return list.has(folded) || (word !== undefined && list.has(word))
  }
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

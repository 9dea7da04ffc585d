import { type Dispatch, type SetStateAction, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { checkEnding, type Ending, type EndingProblem } from './model/ending.ts'

/** Of a password in bytes, as the server takes it. */
const LONGEST_PASSWORD = 72

export interface ShareForm {
  readonly ending: Ending
  readonly password: string
  /** The password that there is shall go. */
  readonly open: boolean
  /** The sentence beneath the field, once somebody wanted to save. */
  readonly problems: { readonly ending?: string | undefined; readonly password?: string | undefined }
  setEnding(ending: Ending): void
  setPassword(password: string): void
  setOpen: Dispatch<SetStateAction<boolean>>
  /** Shows what is wrong. True when nothing is. */
  check(): boolean
}

const SENTENCES = { amount: 'shares.amountWrong', noDate: 'shares.dateMissing', past: 'shares.datePast' } as const

/** What is typed about a link. @param initial how long it lasts when nothing is changed */
export function useShareForm(initial: () => Ending): ShareForm {
  const t = useText()
  const [ending, setEnding] = useState(initial)
  const [password, setPassword] = useState('')
  const [open, setOpen] = useState(false)
  const [wrong, setWrong] = useState<{ ending?: EndingProblem | undefined; password?: boolean }>({})
  return {
    ending,
    password,
    open,
    problems: {
      ending: wrong.ending && t(SENTENCES[wrong.ending]),
      password: wrong.password === true ? t('shares.passwordTooLong', { bytes: LONGEST_PASSWORD }) : undefined,
    },
    setEnding(next) {
      setWrong((before) => ({ ...before, ending: undefined }))
      setEnding(next)
    },
    setPassword(next) {
      setWrong((before) => ({ ...before, password: false }))
      setPassword(next)
    },
    setOpen,
    check() {
      const found = {
        ending: checkEnding(ending, new Date()),
        password: !open && new TextEncoder().encode(password.trim()).length > LONGEST_PASSWORD,
      }
      setWrong(found)
      return found.ending === undefined && !found.password
    },
  }
}

import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { type Expiry, type ExpiryProblem, checkExpiry } from './expiry.ts'
import { ExpiryFields, PROBLEM_TEXTS } from './expiry-fields.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { newPassword } from './new-password.ts'
import { Note, ErrorNote } from '../../kit/feedback/note.tsx'
import { problemOf, problemText } from '../../common/problem-text.ts'
import { useCopy } from './share-links.ts'
import { checkTerms, KindField, MoreFields, type TermsInput, termsInput, type TermsProblems } from './terms-fields.tsx'
import styles from './shares.module.css'

/** Bytes of a password that the server accepts. */
const MAX_PASSWORD_BYTES = 72

/** The state of the form. @param initial how long the link lasts unless changed */
export function useShareForm(initial: () => Expiry, initialTerms: () => TermsInput = termsInput) {
  const t = useText()
  const [expiry, setExpiry] = useState(initial)
  const [password, setPassword] = useState('')
  const [removesPassword, setRemovesPassword] = useState(false)
  const [terms, setTerms] = useState(initialTerms)
  const [wrong, setWrong] = useState<Wrong>({})
  return {
    expiry,
    password,
    /** Removes the existing password. */
    removesPassword,
    terms,
    /** The errors below the fields, after an attempt to save. */
    problems: {
      expiry: wrong.expiry && t(PROBLEM_TEXTS[wrong.expiry]),
      password: wrong.password === true ? t('shares.passwordTooLong', { bytes: MAX_PASSWORD_BYTES }) : undefined,
      terms: wrong.terms ?? {},
    },
    setExpiry(next: Expiry) {
      setWrong((before) => ({ ...before, expiry: undefined }))
      setExpiry(next)
    },
    setPassword(next: string) {
      setWrong((before) => ({ ...before, password: false }))
      setPassword(next)
    },
    setRemovesPassword,
    setTerms(next: TermsInput) {
      setWrong((before) => ({ ...before, terms: {} }))
      setTerms(next)
    },
    /**
     * Validates the fields and shows errors. True when there are none.
     *
     * @param sameExpiry the expiry stays the same, so it may already have passed
     */
    check(sameExpiry = false) {
      const found = {
        expiry: sameExpiry ? undefined : checkExpiry(expiry, new Date()),
        password: !removesPassword && new TextEncoder().encode(password.trim()).length > MAX_PASSWORD_BYTES,
        terms: checkTerms(terms),
      }
      setWrong(found)
      return found.expiry === undefined && !found.password && Object.keys(found.terms).length === 0
    },
  }
}

export type ShareForm = ReturnType<typeof useShareForm>

interface Wrong {
  readonly expiry?: ExpiryProblem | undefined
  readonly password?: boolean
  readonly terms?: TermsProblems
}

interface ShareFieldsProps {
  readonly form: ShareForm
  /** Whether a folder is shared. */
  readonly isFolder: boolean
  /** Whether the link is made by this form. */
  readonly isNew?: boolean | undefined
  /** The link already has a password. */
  readonly hasPassword?: boolean | undefined
}

/** What a link allows, its expiry and its password. */
export function ShareFields({ form, isFolder, isNew = false, hasPassword = false }: ShareFieldsProps) {
  return (
    <>
      <KindField terms={form.terms} onChange={form.setTerms} isFolder={isFolder} />
      <ExpiryFields expiry={form.expiry} problem={form.problems.expiry} onChange={form.setExpiry} />
      <SharePasswordField form={form} hasPassword={hasPassword} />
      <MoreFields
        terms={form.terms}
        problems={form.problems.terms}
        onChange={form.setTerms}
        isNew={isNew}
        hasPassword={form.password.trim() !== ''}
      />
    </>
  )
}

interface SharePasswordFieldProps {
  readonly form: ShareForm
  readonly hasPassword: boolean
}

/** Shown in plain text, since the user passes it on. */
function SharePasswordField({ form, hasPassword }: SharePasswordFieldProps) {
  const t = useText()
  const announce = useAnnounce()
  const generate = (): void => {
    const password = newPassword()
    form.setPassword(password)
    announce(t('shares.passwordGenerated'))
  }
  return (
    <>
      <TextField
        label={t(hasPassword ? 'shares.newPassword' : 'shares.passwordOptional')}
        hint={t(hasPassword ? 'shares.passwordKept' : 'shares.passwordHint')}
        error={form.problems.password}
        value={form.password}
        disabled={form.removesPassword}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => form.setPassword(event.currentTarget.value)}
        end={
          <IconButton icon="retry" label={t('shares.generate')} disabled={form.removesPassword} onClick={generate} />
        }
      />
      {hasPassword && (
        <Checkbox
          checked={form.removesPassword}
          onChange={form.setRemovesPassword}
          label={t('shares.removePassword')}
        />
      )}
    </>
  )
}

/** The server's error, inside the dialog. */
export function ShareProblem({ error }: { readonly error: Error | null }) {
  const t = useText()
  return <ErrorNote>{error && problemText(t, problemOf(error))}</ErrorNote>
}

/** Shows a new password once: the server keeps only its hash. */
export function NewPassword({ password }: { readonly password: string }) {
  const t = useText()
  const copy = useCopy()
  return (
    <Note icon="key" tone="warning">
      <p>{t('shares.passwordOnce')}</p>
      <div className={styles['password']}>
        <bdi dir="ltr" className="mono">
          {password}
        </bdi>
        <Button
          size="small"
          icon="copy"
          onClick={() => void copy({ text: password, success: t('shares.passwordCopied') })}
        >
          {t('shares.copyPassword')}
        </Button>
      </div>
    </Note>
  )
}

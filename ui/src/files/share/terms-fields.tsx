import { useId, useState } from 'react'
import {
  MAX_MESSAGE,
  MAX_TITLE,
  receivesFiles,
  type ShareKind,
  PLAIN_TERMS,
  type ShareTerms,
} from '../../../../src/domain/shares/share-terms.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { TextArea } from '../../kit/fields/inputs.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { Icon, type IconName } from '../../kit/icon/icon.tsx'
import styles from './shares.module.css'
import { formatByteSize, parseByteSize } from '../../../../src/domain/text/units.ts'

export const KINDS: Readonly<Record<ShareKind, MessageId>> = {
  download: 'shares.allowDownload',
  view: 'shares.allowView',
  both: 'shares.allowBoth',
  upload: 'shares.allowUpload',
}

export const KIND_ICONS: Readonly<Record<ShareKind, IconName>> = {
  download: 'download',
  view: 'eye',
  both: 'updown',
  upload: 'upload',
}

const FOLDERS: Readonly<Record<TermsInput['folders'], MessageId>> = {
  none: 'shares.foldersNone',
  visitor: 'shares.foldersVisitor',
  day: 'shares.foldersDay',
}

const PROBLEMS: Readonly<Record<TermsProblem, MessageId>> = {
  number: 'shares.numberWrong',
  size: 'shares.sizeWrong',
  slug: 'shares.slugWrong',
}

interface TermsProps {
  readonly terms: TermsInput
  readonly onChange: (terms: TermsInput) => void
}

/** What visitors of a link may do. @param isFolder only a folder can take files */
export function KindField({ terms, onChange, isFolder }: TermsProps & { readonly isFolder: boolean }) {
  const t = useText()
  const kinds = (Object.keys(KINDS) as ShareKind[]).filter((kind) => isFolder || !receivesFiles({ allows: kind }))
  return (
    <>
      <fieldset className={styles['choice']}>
        <legend className={styles['label']}>{t('shares.allows')}</legend>
        <div className={styles['kinds']}>
          {kinds.map((allows) => (
            <label key={allows} className={styles['kind']}>
              <input
                type="radio"
                name="kind"
                checked={allows === terms.allows}
                onChange={() => onChange({ ...terms, allows })}
              />
              <Icon name={KIND_ICONS[allows]} />
              <span>{t(KINDS[allows])}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {receivesFiles(terms) && (
        <Checkbox
          checked={terms.asksName || terms.folders === 'visitor'}
          disabled={terms.folders === 'visitor'}
          onChange={(asksName) => onChange({ ...terms, asksName })}
          label={t('shares.asksName')}
        />
      )}
    </>
  )
}

interface MoreFieldsProps extends TermsProps {
  readonly problems: TermsProblems
  readonly isNew: boolean
  readonly hasPassword: boolean
}

/** What most links do without: texts and limits. Folded, unless one of them is set. */
export function MoreFields({ terms, problems, onChange, isNew, hasPassword }: MoreFieldsProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(() => hasMore(terms))
  const messageId = useId()
  const text = (name: TextName, label: MessageId, hint?: MessageId) => {
    const problem = problems[name]
    return (
      <TextField
        label={t(label)}
        hint={hint && t(hint)}
        error={problem && t(PROBLEMS[problem])}
        value={terms[name]}
        autoComplete="off"
        maxLength={LENGTHS[name]}
        onChange={(event) => onChange({ ...terms, [name]: event.currentTarget.value })}
      />
    )
  }
  return (
    <details
      className={styles['more']}
      open={isOpen || Object.keys(problems).length > 0}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t('shares.moreOptions')}</summary>
      <div className={styles['fields']}>
        {receivesFiles(terms) && (
          <>
            <div className={styles['choice']}>
              <span className={styles['label']} aria-hidden="true">
                {t('shares.folders')}
              </span>
              <Select
                label={t('shares.folders')}
                value={terms.folders}
                options={Object.entries(FOLDERS).map(([value, label]) => ({
                  value: value as TermsInput['folders'],
                  label: t(label),
                }))}
                onChange={(folders) => onChange({ ...terms, folders })}
              />
            </div>
            <div className={styles['pair']}>
              {text('maxTotal', 'shares.maxTotal', 'shares.sizeHint')}
              {text('maxFile', 'shares.maxFile', 'shares.sizeHint')}
              {text('maxFiles', 'shares.maxFiles', 'shares.noLimit')}
              {text('types', 'shares.types', 'shares.typesHint')}
            </div>
          </>
        )}
        {text('title', 'shares.titleField')}
        <div className={styles['choice']}>
          <label className={styles['label']} htmlFor={messageId}>
            {t('shares.message')}
          </label>
          <TextArea
            id={messageId}
            value={terms.message}
            maxLength={MAX_MESSAGE}
            onChange={(message) => onChange({ ...terms, message })}
          />
        </div>
        {text('note', 'shares.note')}
        {terms.allows !== 'upload' && text('maxDownloads', 'shares.maxDownloads', 'shares.noLimit')}
        {isNew && text('slug', 'shares.slug', hasPassword ? undefined : 'shares.slugHint')}
      </div>
    </details>
  )
}

/** Whether something is set that `MoreFields` shows. */
function hasMore({ asksName: _asksName, allows: _allows, ...more }: TermsInput): boolean {
  const { asksName: _none, allows: _all, ...nothing } = termsInput()
  return JSON.stringify(more) !== JSON.stringify({ ...more, ...nothing })
}

type TextName = Exclude<keyof TermsInput, 'allows' | 'asksName' | 'folders' | 'message'>

const LENGTHS: Readonly<Record<TextName, number>> = {
  title: MAX_TITLE,
  note: 500,
  slug: 63,
  maxDownloads: 9,
  maxFiles: 9,
  maxTotal: 20,
  maxFile: 20,
  types: 500,
}

/** The values of the form: numbers and sizes as typed, "" for no limit. */
export interface TermsInput extends Pick<ShareTerms, 'allows' | 'note' | 'title' | 'message' | 'asksName' | 'folders'> {
  readonly maxDownloads: string
  readonly maxFiles: string
  readonly maxTotal: string
  readonly maxFile: string
  readonly types: string
  /** Custom address; only a new link can have one. */
  readonly slug: string
}

export type TermsProblem = 'number' | 'size' | 'slug'
export type TermsProblems = Partial<Record<keyof TermsInput, TermsProblem>>

export function termsInput(terms: ShareTerms = PLAIN_TERMS): TermsInput {
  const { maxDownloads, maxFiles, maxBytes, maxFileBytes, types, ...rest } = terms
  const count = (value: number) => (value === 0 ? '' : String(value))
  const size = (value: number) => (value === 0 ? '' : formatByteSize(value))
  return {
    ...rest,
    maxDownloads: count(maxDownloads),
    maxFiles: count(maxFiles),
    maxTotal: size(maxBytes),
    maxFile: size(maxFileBytes),
    types: types.join(', '),
    slug: '',
  }
}

export function checkTerms({ maxDownloads, maxFiles, maxTotal, maxFile, slug, allows }: TermsInput): TermsProblems {
  const problems: TermsProblems = {}
  const isCount = (text: string) => /^\d{0,9}$/.test(text.trim())
  const isSize = (text: string) => text.trim() === '' || parseByteSize(text) !== undefined
  if (!isCount(maxDownloads)) problems.maxDownloads = 'number'
  if (slug !== '' && !/^[A-Za-z0-9][A-Za-z0-9_-]{2,62}$/.test(slug)) problems.slug = 'slug'
  if (!receivesFiles({ allows })) return problems
  if (!isCount(maxFiles)) problems.maxFiles = 'number'
  if (!isSize(maxTotal)) problems.maxTotal = 'size'
  if (!isSize(maxFile)) problems.maxFile = 'size'
  return problems
}

/** Only for valid input. */
export function termsOf(input: TermsInput): ShareTerms {
  const { maxDownloads, maxFiles, maxTotal, maxFile, types, slug: _slug, ...rest } = input
  return {
    ...rest,
    maxDownloads: Number(maxDownloads),
    maxFiles: Number(maxFiles),
    maxBytes: parseByteSize(maxTotal) ?? 0,
    maxFileBytes: parseByteSize(maxFile) ?? 0,
    types: types.split(/[\s,;]+/).flatMap((type) => type.replace(/^\*?\./, '').toLowerCase() || []),
  }
}

export function isPlain(terms: ShareTerms): boolean {
  return Object.entries(PLAIN_TERMS).every(([name, value]) => String(terms[name as keyof ShareTerms]) === String(value))
}

import { useState } from 'react'
import { type VirtualPath, nameOf } from '../../../../../src/domain/files/virtual-path.ts'
import { usePermissionsAt } from '../../../api/permissions.ts'
import { type MessageId, RichText, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { Dialog, DialogLead } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { FileName } from '../../../kit/text/names.tsx'
import { FileGlyph } from '../../../kit/icon/icon.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { kindOfName } from '../../../lib/file-kind.ts'
import styles from './conflict-prompt.module.css'

interface ConflictPromptProps {
  readonly conflicts: readonly NameConflict[]
  /** Number of entries in the transfer, including the conflicts. */
  readonly all: number
  readonly target: VirtualPath
}

const MAX_SHOWN = 100

/** Asks about names that are taken at the target. Keeping both is the default: pressing Enter loses nothing. */
export function ConflictPrompt({ conflicts, all, target, close }: ConflictPromptProps & PromptProps<Choices>) {
  const t = useText()
  const mayReplace = usePermissionsAt()(target).modify
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [sameForAll, setSameForAll] = useState(false)
  const choiceOf = (key: string): Choice => chosen.get(key) ?? 'keepBoth'
  const keys = conflicts.map(({ key }) => key)
  const applyToAll = (on: boolean): void => {
    setSameForAll(on)
    if (on) setChosen(choose(chosen, keys, lastChoice(chosen)))
  }
  const folder = nameOf(target) || t('files.root')
  return (
    <Dialog
      size="medium"
      title={t('conflict.title', { count: conflicts.length, all, name: conflicts[0]?.name ?? '' })}
      onClose={() => close()}
      onSubmit={() => close(settled(conflicts, choiceOf, mayReplace))}
      footer={
        <>
          <DialogLead>
            <Button variant="ghost" onClick={() => close(() => 'skip')}>
              {t('conflict.skipAll', { count: conflicts.length })}
            </Button>
          </DialogLead>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" data-autofocus="">
            {t('conflict.continue')}
          </Button>
        </>
      }
    >
      <p>
        <RichText id="conflict.text" values={{ folder }} elements={[<bdi key="0" className={styles['folder']} />]} />
      </p>
      <div className={styles['conflicts']} role="group" aria-label={t('conflict.list')}>
        {conflicts.slice(0, MAX_SHOWN).map((conflict) => (
          <ConflictRow
            key={conflict.key}
            conflict={conflict}
            choice={choiceOf(conflict.key)}
            mayReplace={mayReplace}
            onChoose={(choice) => setChosen(choose(chosen, sameForAll ? keys : [conflict.key], choice))}
          />
        ))}
        {conflicts.length > MAX_SHOWN && (
          <p className={styles['rest']}>{t('conflict.rest', { count: conflicts.length - MAX_SHOWN })}</p>
        )}
      </div>
      {conflicts.length > 1 && <Checkbox checked={sameForAll} onChange={applyToAll} label={t('conflict.sameForAll')} />}
    </Dialog>
  )
}

/** Keeps both where "the same for all" means "replace" but the entry cannot be replaced. */
function settled(conflicts: readonly NameConflict[], choiceOf: Choices, mayReplace: boolean): Choices {
  const replaceable = new Map(conflicts.map((conflict) => [conflict.key, mayReplace && conflict.replaceable]))
  return (key) => (choiceOf(key) === 'replace' && replaceable.get(key) !== true ? 'keepBoth' : choiceOf(key))
}

interface ConflictRowProps {
  readonly conflict: NameConflict
  readonly choice: Choice
  readonly mayReplace: boolean
  readonly onChoose: (choice: Choice) => void
}

const LABELS: Readonly<Record<Choice, MessageId>> = {
  keepBoth: 'conflict.keepBoth',
  replace: 'conflict.replace',
  skip: 'conflict.skip',
}

/** Both versions and the choice between them. */
function ConflictRow({ conflict, choice, mayReplace, onChoose }: ConflictRowProps) {
  const t = useText()
  const { name, incoming, existing, replaceable } = conflict
  const choices: Choice[] = mayReplace && replaceable ? ['keepBoth', 'replace', 'skip'] : ['keepBoth', 'skip']
  const merges = incoming.isDir && existing.isDir
  return (
    <div className={styles['row']}>
      <FileGlyph type={incoming.isDir ? 'folder' : (kindOfName(name) ?? 'other')} size={24} />
      <div className={styles['versions']}>
        <span className={styles['name']} title={name}>
          <FileName name={name} />
        </span>
        <VersionText label={t('conflict.new')} version={incoming} other={existing} />
        <VersionText label={t('conflict.here')} version={existing} other={incoming} />
      </div>
      <Select
        label={t('conflict.whatToDo', { name })}
        value={choices.includes(choice) ? choice : 'keepBoth'}
        options={choices.map((value) => ({
          value,
          label: t(value === 'replace' && merges ? 'conflict.merge' : LABELS[value]),
        }))}
        onChange={onChoose}
      />
    </div>
  )
}

interface VersionTextProps {
  readonly label: string
  readonly version: Version
  readonly other: Version
}

function VersionText({ label, version, other }: VersionTextProps) {
  const t = useText()
  const format = useFormat()
  const { isDir, size, modified } = version
  // A folder dropped from the desktop has no date.
  const date = modified === '' ? '' : format.dateTime(new Date(modified))
  const marks = [isNewer(version, other) && t('conflict.newer'), isLarger(version, other) && t('conflict.larger')]
  return (
    <span className={styles['version']}>
      <b>{label}</b> <bdi>{[isDir ? t('files.folder') : format.bytes(size), date].filter(Boolean).join(' · ')}</bdi>
      {marks.map((mark) => mark !== false && <Badge key={mark}>{mark}</Badge>)}
    </span>
  )
}

/** Some disks keep only every other second. */
const CLOCK_STEP = 2000

/** Whether the entry is later than the other one; false if a date is unknown. */
export function isNewer({ modified }: Version, other: Version): boolean {
  return new Date(modified).getTime() - new Date(other.modified).getTime() >= CLOCK_STEP
}

/** Whether the file is larger than the other one. */
export function isLarger({ isDir, size }: Version, other: Version): boolean {
  return !isDir && !other.isDir && size > other.size
}

/** One of the two entries with the same name. */
export interface Version {
  readonly isDir: boolean
  readonly size: number
  /** RFC 3339, or milliseconds since 1970. */
  readonly modified: string | number
}

/** A name that is taken in the target folder. */
export interface NameConflict {
  /** Identifies the conflict within one prompt. */
  readonly key: string
  /** As it is shown: a name, or a path below the target. */
  readonly name: string
  readonly incoming: Version
  readonly existing: Version
  /** A file cannot take the place of a folder, nor a folder that of a file. */
  readonly replaceable: boolean
}

export type Choice = 'keepBoth' | 'replace' | 'skip'

/** The choices made so far by key, the latest last. */
export type Chosen = ReadonlyMap<string, Choice>

/** Makes the same choice for some conflicts. */
export function choose(chosen: Chosen, keys: readonly string[], choice: Choice): Chosen {
  const changed = new Map(keys.map((key) => [key, choice]))
  return new Map([...[...chosen].filter(([key]) => !changed.has(key)), ...changed])
}

export function lastChoice(chosen: Chosen): Choice {
  return [...chosen.values()].at(-1) ?? 'keepBoth'
}

/** The choice for each conflict, by its key. */
export type Choices = (key: string) => Choice

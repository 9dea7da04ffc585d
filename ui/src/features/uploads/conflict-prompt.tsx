import { useState } from 'react'
import { nameOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useUser } from '../../api/session-context.tsx'
import { RichText, useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/checkbox.tsx'
import { Dialog, DialogLead } from '../../kit/dialog.tsx'
import type { PromptProps } from '../../kit/prompt-stack.tsx'
import type { Choice, Conflict } from './conflict-check.ts'
import { ConflictRow } from './conflict-row.tsx'
import type { ChoiceOf } from './uploads.ts'
import styles from './conflict-prompt.module.css'

export interface ConflictPromptProps {
  readonly conflicts: readonly Conflict[]
  /** Files of the whole upload. */
  readonly all: number
  readonly target: VirtualPath
}

const SHOWN = 100

/** Asks about files that are at the target already. Keeping both is the default: pressing Enter loses nothing. */
export function ConflictPrompt({ conflicts, all, target, close }: ConflictPromptProps & PromptProps<ChoiceOf>) {
  const t = useText()
  const mayReplace = useUser()?.perm.modify ?? false
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const [sameForAll, setSameForAll] = useState(false)
  const choiceOf = ({ entry }: Conflict): Choice => choices.get(entry.path) ?? 'keepBoth'
  const choose = (conflict: Conflict, choice: Choice): void => {
    const changed = sameForAll ? conflicts : [conflict]
    setChoices((before) => new Map([...before, ...changed.map(({ entry }) => [entry.path, choice] as const)]))
  }
  const applyFirstToAll = (on: boolean): void => {
    setSameForAll(on)
    const [first] = conflicts
    if (!on || first === undefined) return
    const lastChosen = [...choices.values()].at(-1) ?? 'keepBoth'
    setChoices(new Map(conflicts.map(({ entry }) => [entry.path, lastChosen])))
  }
  const folder = nameOf(target) || t('uploads.root')
  return (
    <Dialog
      size="medium"
      title={t('uploads.conflictTitle', { count: conflicts.length, all })}
      onClose={() => close()}
      onSubmit={() => close(choiceOf)}
      footer={
        <>
          <DialogLead>
            <Button variant="ghost" onClick={() => close(() => 'skip')}>
              {t('uploads.skipAll', { count: conflicts.length })}
            </Button>
          </DialogLead>
          <Button onClick={() => close()}>{t('uploads.cancel')}</Button>
          <Button variant="primary" type="submit" data-autofocus="">
            {t('uploads.continue')}
          </Button>
        </>
      }
    >
      <p>
        <RichText
          id="uploads.conflictText"
          values={{ folder }}
          elements={[<bdi key="0" className={styles['folder']} />]}
        />
      </p>
      <div className={styles['clash']} role="group" aria-label={t('uploads.conflictList')}>
        {conflicts.slice(0, SHOWN).map((conflict) => (
          <ConflictRow
            key={conflict.entry.path}
            conflict={conflict}
            choice={choiceOf(conflict)}
            mayReplace={mayReplace}
            onChoose={(choice) => choose(conflict, choice)}
          />
        ))}
        {conflicts.length > SHOWN && (
          <p className={styles['rest']}>{t('uploads.conflictRest', { count: conflicts.length - SHOWN })}</p>
        )}
      </div>
      {conflicts.length > 1 && (
        <Checkbox checked={sameForAll} onChange={applyFirstToAll} label={t('uploads.sameForAll')} />
      )}
    </Dialog>
  )
}

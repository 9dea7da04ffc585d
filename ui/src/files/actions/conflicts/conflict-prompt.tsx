import { useState } from 'react'
import { nameOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useUser } from '../../../api/session-context.tsx'
import { RichText, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { Dialog, DialogLead } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { ConflictRow } from './conflict-row.tsx'
import { choose, lastChoice, type Choice, type Choices, type Chosen, type NameConflict } from './name-conflict.ts'
import styles from './conflict-prompt.module.css'

export interface ConflictPromptProps {
  readonly conflicts: readonly NameConflict[]
  /** How many things are on their way, with those that clash. */
  readonly all: number
  readonly target: VirtualPath
}

const SHOWN = 100

/** Asks about names that are taken at the target. Keeping both is the default: pressing Enter loses nothing. */
export function ConflictPrompt({ conflicts, all, target, close }: ConflictPromptProps & PromptProps<Choices>) {
  const t = useText()
  const mayReplace = useUser()?.perm.modify ?? false
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
      <div className={styles['clash']} role="group" aria-label={t('conflict.list')}>
        {conflicts.slice(0, SHOWN).map((conflict) => (
          <ConflictRow
            key={conflict.key}
            conflict={conflict}
            choice={choiceOf(conflict.key)}
            mayReplace={mayReplace}
            onChoose={(choice) => setChosen(choose(chosen, sameForAll ? keys : [conflict.key], choice))}
          />
        ))}
        {conflicts.length > SHOWN && (
          <p className={styles['rest']}>{t('conflict.rest', { count: conflicts.length - SHOWN })}</p>
        )}
      </div>
      {conflicts.length > 1 && <Checkbox checked={sameForAll} onChange={applyToAll} label={t('conflict.sameForAll')} />}
    </Dialog>
  )
}

/** "The same for all" may say "replace" of something that cannot be replaced: then both are kept. */
function settled(conflicts: readonly NameConflict[], choiceOf: Choices, mayReplace: boolean): Choices {
  const replaceable = new Map(conflicts.map((conflict) => [conflict.key, mayReplace && conflict.replaceable]))
  return (key) => (choiceOf(key) === 'replace' && replaceable.get(key) !== true ? 'keepBoth' : choiceOf(key))
}

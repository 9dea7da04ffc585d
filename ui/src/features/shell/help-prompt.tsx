import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Keys } from '../../kit/keys.tsx'
import type { PromptProps } from '../../kit/prompt-stack.tsx'
import type { Shortcut, ShortcutGroup } from '../../kit/shortcuts.tsx'
import styles from './help-prompt.module.css'

const GROUPS: readonly [ShortcutGroup, MessageId][] = [
  ['move', 'help.move'],
  ['select', 'help.select'],
  ['act', 'help.act'],
  ['clipboard', 'help.clipboard'],
]

interface HelpPromptProps extends PromptProps<never> {
  shortcuts: readonly Shortcut[]
}

export function HelpPrompt({ shortcuts, close }: HelpPromptProps) {
  const t = useText()
  return (
    <Dialog title={t('help.title')} size="large" onClose={close}>
      <div className={styles['groups']}>
        {GROUPS.map(([group, heading]) => (
          <ShortcutSection
            key={group}
            heading={t(heading)}
            shortcuts={shortcuts.filter((shortcut) => shortcut.group === group)}
          />
        ))}
      </div>
    </Dialog>
  )
}

function ShortcutSection({ heading, shortcuts }: { heading: string; shortcuts: readonly Shortcut[] }) {
  if (shortcuts.length === 0) return null
  const labels = [...new Set(shortcuts.map(({ label }) => label))]
  return (
    <section>
      <h3>{heading}</h3>
      <ul>
        {labels.map((label) => (
          <li key={label}>
            <span>{label}</span>
            <span className={styles['keys']}>
              {shortcuts
                .filter((shortcut) => shortcut.label === label)
                .map(({ keys }) => (
                  <span key={keys}>
                    <span className="visually-hidden">{keys}</span>
                    <Keys keys={keys} />
                  </span>
                ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

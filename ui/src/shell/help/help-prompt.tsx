import { useUser } from '../../api/session.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { AppLink, buttonClass } from '../../kit/button/button.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { Keys, type Shortcut, type ShortcutGroup, useAllShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { platformKeys } from '../../lib/shortcut-keys.ts'
import styles from './help-prompt.module.css'

const GROUPS: readonly [ShortcutGroup, MessageId][] = [
  ['move', 'help.move'],
  ['select', 'help.select'],
  ['clipboard', 'help.clipboard'],
  ['act', 'help.act'],
]

/** Lists the shortcuts of the current screen, and those of its parts as their code loads. */
export function HelpPrompt({ close }: PromptProps<never>) {
  const t = useText()
  const shortcuts = useAllShortcuts()
  return (
    <Dialog
      title={t('help.title')}
      size="large"
      onClose={close}
      footer={
        <AppLink to="/help" className={buttonClass()} onClick={() => close()}>
          {t('help.documentation')}
        </AppLink>
      }
    >
      {/* Focusable, so that keys can scroll it on small screens. */}
      <div className={styles['groups']} role="group" aria-label={t('help.title')} tabIndex={0} data-autofocus="">
        {GROUPS.map(([group, heading]) => (
          <ShortcutSection
            key={group}
            heading={t(heading)}
            shortcuts={shortcuts.filter((shortcut) => shortcut.group === group)}
          />
        ))}
        <ShortcutSection heading={t('help.mouse')} shortcuts={useMouseHelp()} />
      </div>
    </Dialog>
  )
}

type Listed = Pick<Shortcut, 'keys' | 'label'>

/** Mouse actions on entries. */
function useMouseHelp(): Listed[] {
  const t = useText()
  const opensAtOnce = useUser()?.singleClick ?? false
  const click = t('help.click')
  return [
    { keys: click, label: opensAtOnce ? t('help.open') : t('help.selectOne') },
    ...(opensAtOnce ? [] : [{ keys: t('help.doubleClick'), label: t('help.open') }]),
    { keys: `Ctrl+${click}`, label: t('help.addToSelection') },
    { keys: `Shift+${click}`, label: t('help.selectUpTo') },
    { keys: t('help.rightClick'), label: t('help.openMenu') },
  ]
}

function ShortcutSection({ heading, shortcuts }: { heading: string; shortcuts: readonly Listed[] }) {
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
                .map((shortcut) => platformKeys(shortcut.keys))
                .map((keys) => (
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

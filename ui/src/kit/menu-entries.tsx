import { DropdownMenu as Primitive } from 'radix-ui'
import { classNames } from '../lib/class-names.ts'
import { Icon } from './icon.tsx'
import styles from './menu.module.css'
import type { MenuAction, MenuChoice, MenuEntry, SubMenu } from './menu.tsx'

interface MenuEntriesProps {
  entries: readonly MenuEntry[]
  /** Called before what is chosen runs. */
  onChoose: () => void
}

export function MenuEntries({ entries, onChoose }: MenuEntriesProps) {
  return entries.map((entry, index) => <Entry key={index} entry={entry} onChoose={onChoose} />)
}

interface EntryProps<Kind extends MenuEntry = MenuEntry> {
  entry: Kind
  onChoose: () => void
}

function Entry({ entry, onChoose }: EntryProps) {
  switch (entry.kind) {
    case 'separator':
      return <Primitive.Separator className={styles['separator']} />
    case 'heading':
      return (
        <Primitive.Label className={styles['heading']}>
          <bdi className="clip">{entry.label}</bdi>
        </Primitive.Label>
      )
    case 'submenu':
      return <Submenu entry={entry} onChoose={onChoose} />
    case 'choice':
      return <Choice entry={entry} onChoose={onChoose} />
    default:
      return <Action entry={entry} onChoose={onChoose} />
  }
}

function Action({ entry, onChoose }: EntryProps<MenuAction>) {
  return (
    <Primitive.Item
      className={classNames(styles['item'], entry.danger && styles['danger'])}
      disabled={entry.disabled ?? false}
      onSelect={() => {
        onChoose()
        entry.run()
      }}
    >
      {entry.icon && <Icon name={entry.icon} size={16} />}
      <span className="clip">{entry.label}</span>
      {entry.keys && <span className={styles['end']}>{entry.keys}</span>}
    </Primitive.Item>
  )
}

function Choice({ entry, onChoose }: EntryProps<MenuChoice>) {
  return (
    <Primitive.CheckboxItem
      className={styles['item']}
      role="menuitemradio"
      checked={entry.checked}
      disabled={entry.disabled ?? false}
      onSelect={() => {
        onChoose()
        entry.run()
      }}
    >
      {entry.icon && <Icon name={entry.icon} size={16} />}
      <span className="clip">{entry.label}</span>
      <span className={styles['end']}>{entry.checked && <Icon name="check" size={16} />}</span>
    </Primitive.CheckboxItem>
  )
}

function Submenu({ entry, onChoose }: EntryProps<SubMenu>) {
  return (
    <Primitive.Sub>
      <Primitive.SubTrigger className={styles['item']}>
        {entry.icon && <Icon name={entry.icon} size={16} />}
        <span className="clip">{entry.label}</span>
        <span className={styles['end']}>
          <Icon name="right" size={16} flip />
        </span>
      </Primitive.SubTrigger>
      <Primitive.Portal>
        <Primitive.SubContent className={styles['menu']} collisionPadding={8}>
          <MenuEntries entries={entry.entries} onChoose={onChoose} />
        </Primitive.SubContent>
      </Primitive.Portal>
    </Primitive.Sub>
  )
}

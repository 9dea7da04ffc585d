import styles from './keys.module.css'

/** A shortcut as key caps: "Ctrl+Shift+F". Read out by what carries `aria-keyshortcuts`, so it is decoration. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles['keys']} aria-hidden="true">
      {keys.split('+').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}

import styles from './late.module.css'

/** Says beside a pointer or a finger what is dragged. Whoever makes it takes it away again. */
export function dragLabel(text: string): HTMLElement {
  const label = document.createElement('bdi')
  label.className = styles['dragged'] ?? ''
  label.textContent = text
  document.body.append(label)
  return label
}

/** Hangs a label on the pointer in place of the whole row, which may be as wide as the page. */
export function dragPicture(transfer: DataTransfer, text: string): void {
  const label = dragLabel(text)
  transfer.setDragImage(label, -8, -8)
  // The browser takes its picture once the event is over.
  setTimeout(() => label.remove())
}

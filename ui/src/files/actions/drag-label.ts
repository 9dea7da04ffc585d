import styles from './drag-label.module.css'

/** Says beside a pointer or a finger what is dragged. Whoever makes it takes it away again. */
export function dragLabel(text: string): HTMLElement {
  const label = document.createElement('bdi')
  label.className = styles['dragged'] ?? ''
  label.textContent = text
  document.body.append(label)
  return label
}

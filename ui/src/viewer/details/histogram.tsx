import { useEffect, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { histogramOf } from './light.ts'
import styles from './details-panel.module.css'

const SIDE = 64
const WIDTH = 288
const HEIGHT = 56

/** How light and dark are spread over a picture, dark at the start. */
export function Histogram({ address }: { readonly address: string }) {
  const t = useText()
  const [steps, setSteps] = useState<readonly number[] | null>(null)
  useEffect(() => {
    let current = true
    void lightOf(address).then((found) => {
      if (current) setSteps(found)
    })
    return () => {
      current = false
    }
  }, [address])
  if (steps === null) return null
  return (
    <div className={styles['light']}>
      <h3>{t('viewer.histogram')}</h3>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={t('viewer.histogram')}>
        <path d={pathOf(steps)} />
      </svg>
    </div>
  )
}

async function lightOf(address: string): Promise<number[] | null> {
  const image = new Image()
  image.src = address
  try {
    await image.decode()
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
  const canvas = new OffscreenCanvas(SIDE, SIDE)
  const context = canvas.getContext('2d')
  if (context === null) return null
  context.drawImage(image, 0, 0, SIDE, SIDE)
  return histogramOf(context.getImageData(0, 0, SIDE, SIDE).data)
}

function pathOf(steps: readonly number[]): string {
  const points = steps.map((step, index) => {
    const x = (index / (steps.length - 1)) * WIDTH
    return `L${x.toFixed(1)} ${(HEIGHT - 2 - Math.sqrt(step) * (HEIGHT - 6)).toFixed(1)}`
  })
  return `M0 ${HEIGHT}${points.join('')}L${WIDTH} ${HEIGHT}z`
}

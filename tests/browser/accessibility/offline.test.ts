import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'
import { AWAY_SCREENS } from '../../helpers/browser/screens/away-screens.ts'

checkEveryScreen(AWAY_SCREENS, { cutsConnections: true })

require('../load')(__filename)

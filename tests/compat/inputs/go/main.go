// SPDX-License-Identifier: MIT
package main

import (
	"fmt"
	"os/exec"
	"sync"
)

func main() {
	var group sync.WaitGroup
	squares := make([]int, 100)
	for i := range squares {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			squares[i] = i * i
		}(i)
	}
	group.Wait()
	out, err := exec.Command("echo", "from a process").Output()
	fmt.Print(squares[99], " ", string(out), err, "\n")
}

// SPDX-License-Identifier: MIT
import java.util.stream.IntStream;

public class Hello {
	public static void main(String[] args) throws Exception {
		Process process = new ProcessBuilder("echo", "from a process").start();
		System.out.print(new String(process.getInputStream().readAllBytes()));
		System.out.println(IntStream.rangeClosed(1, 1000).parallel().sum());
	}
}
